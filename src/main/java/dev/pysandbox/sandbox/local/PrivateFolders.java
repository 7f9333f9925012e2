package dev.pysandbox.sandbox.local;

/** The writable folders of a job, as paths inside a sandbox that has a root folder of its own. */
public final class PrivateFolders {
    public static final String WORK = "/work";
    public static final String HOME = "/home/user";
    public static final String TEMPORARY = "/tmp";

    private PrivateFolders() {}
}
