/** The program's entry and its command line. */
@NullMarked
package dev.pysandbox;

import org.jspecify.annotations.NullMarked;
