/** Host names, addresses, and which of them are public. */
package dev.pysandbox.egress.address;
