/** Settings as records: one component for each setting, grouped, with defaults and checks. */
@NullMarked
package dev.pysandbox.settings;

import org.jspecify.annotations.NullMarked;
