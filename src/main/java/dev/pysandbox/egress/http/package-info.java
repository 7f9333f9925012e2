/** Strict parsing of HTTP messages. */
@NullMarked
package dev.pysandbox.egress.http;

import org.jspecify.annotations.NullMarked;
