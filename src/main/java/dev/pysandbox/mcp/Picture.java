package dev.pysandbox.mcp;

/** An image as a client gets it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Picture(String mimeType, byte[] content) {}
