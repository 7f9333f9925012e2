/** The settings files of MCP clients. */
@NullMarked
package dev.pysandbox.cli.clients;

import org.jspecify.annotations.NullMarked;
