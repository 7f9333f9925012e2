/** Settings as records in groups: each component is a setting, with a default and a check. */
@NullMarked
package dev.pysandbox.settings;

import org.jspecify.annotations.NullMarked;
