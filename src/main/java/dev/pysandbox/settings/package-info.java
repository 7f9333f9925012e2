/** Settings as records in groups: each component is a setting, with a default and a check. */
package dev.pysandbox.settings;
