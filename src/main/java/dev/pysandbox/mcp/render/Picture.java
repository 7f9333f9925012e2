package dev.pysandbox.mcp.render;

/** An image as a client gets it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Picture(String mimeType, byte[] content) {}
