/** Host names, addresses, and which of them are public. */
@NullMarked
package dev.pysandbox.egress.address;

import org.jspecify.annotations.NullMarked;
