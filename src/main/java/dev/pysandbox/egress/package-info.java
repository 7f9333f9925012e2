/** The proxy through which sandboxes reach the internet, and its policy. */
package dev.pysandbox.egress;
