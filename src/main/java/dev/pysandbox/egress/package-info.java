/** The proxy through which sandboxes reach the internet, and its policy. */
@NullMarked
package dev.pysandbox.egress;

import org.jspecify.annotations.NullMarked;
