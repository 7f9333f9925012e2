/** The way out of a sandbox: a proxy that reaches public addresses and allowed hosts alone. */
@NullMarked
package dev.pysandbox.egress;

import org.jspecify.annotations.NullMarked;
