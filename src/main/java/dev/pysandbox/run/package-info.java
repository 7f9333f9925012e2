/** The Java API: run a script, validate one, look at the environment. */
@NullMarked
package dev.pysandbox.run;

import org.jspecify.annotations.NullMarked;
