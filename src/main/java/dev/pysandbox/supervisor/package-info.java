/** The protocol between the server and the supervisor, the first process inside each sandbox. */
@NullMarked
package dev.pysandbox.supervisor;

import org.jspecify.annotations.NullMarked;
