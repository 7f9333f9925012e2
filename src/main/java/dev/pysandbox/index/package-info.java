/** Package indexes: settings, a client, and the gateway that adds credentials. */
@NullMarked
package dev.pysandbox.index;

import org.jspecify.annotations.NullMarked;
