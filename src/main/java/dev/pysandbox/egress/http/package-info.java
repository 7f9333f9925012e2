/** Strict parsing of HTTP messages. */
package dev.pysandbox.egress.http;
