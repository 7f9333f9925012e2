/** Results as text, JSON and images. */
package dev.pysandbox.mcp.render;
