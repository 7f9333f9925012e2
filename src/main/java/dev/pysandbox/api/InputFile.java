package dev.pysandbox.api;

/** A file that is written to the script's working folder before it runs. Its name is relative to that folder. */
@SuppressWarnings("ArrayRecordComponent") // never compared; wrapping megabytes would copy them
public record InputFile(String name, byte[] content) {}
