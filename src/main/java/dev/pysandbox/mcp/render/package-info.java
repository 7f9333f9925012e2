/** Results as text, JSON and images. */
@NullMarked
package dev.pysandbox.mcp.render;

import org.jspecify.annotations.NullMarked;
