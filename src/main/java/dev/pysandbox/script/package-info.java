/** Reads a script's own words about itself: PEP 723 metadata, PEP 508 requirements, PEP 440 versions. */
@NullMarked
package dev.pysandbox.script;

import org.jspecify.annotations.NullMarked;
