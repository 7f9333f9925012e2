/** Parses PEP 723 metadata, PEP 508 requirements and PEP 440 versions. */
package dev.pysandbox.script;
