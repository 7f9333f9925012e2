/** Package indexes: settings, a client, and the gateway that adds credentials. */
package dev.pysandbox.index;
