package dev.pysandbox.run;

/** A file that the script made or changed in its working folder. */
@SuppressWarnings("ArrayRecordComponent") // never compared; wrapping megabytes would copy them
public record ProducedFile(String name, String mimeType, long size, String sha256, byte[] content) {}
