/** What a script needs around it: uv, a Python, an environment with its dependencies. */
@NullMarked
package dev.pysandbox.env;

import org.jspecify.annotations.NullMarked;
