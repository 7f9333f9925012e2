/** The Java API: runs a script, validates one, reports what the machine offers. */
@NullMarked
package dev.pysandbox.api;

import org.jspecify.annotations.NullMarked;
