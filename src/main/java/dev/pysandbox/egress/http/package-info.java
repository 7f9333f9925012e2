/** HTTP messages, read strictly. */
@NullMarked
package dev.pysandbox.egress.http;

import org.jspecify.annotations.NullMarked;
