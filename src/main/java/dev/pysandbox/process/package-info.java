/** Starting, watching and ending processes of the host; knows nothing of Python. */
@NullMarked
package dev.pysandbox.process;

import org.jspecify.annotations.NullMarked;
