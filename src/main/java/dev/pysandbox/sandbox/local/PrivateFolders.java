package dev.pysandbox.sandbox.local;

/** The writable folders of a job, as paths inside a sandbox with a separate root folder. */
public final class PrivateFolders {
    public static final String WORK = "/work";
    public static final String HOME = "/home/user";
    public static final String TEMPORARY = "/tmp";

    private PrivateFolders() {}
}
