/** The settings files of MCP clients. */
package dev.pysandbox.cli.clients;
