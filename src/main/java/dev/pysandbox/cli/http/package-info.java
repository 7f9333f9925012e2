/** Starts the server on HTTP. */
package dev.pysandbox.cli.http;
