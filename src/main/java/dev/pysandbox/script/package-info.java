/** Parses PEP 723 metadata, PEP 508 requirements and PEP 440 versions. */
@NullMarked
package dev.pysandbox.script;

import org.jspecify.annotations.NullMarked;
