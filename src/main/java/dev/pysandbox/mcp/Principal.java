package dev.pysandbox.mcp;

/** On whose behalf a request is made. What one principal did, another can neither list, read nor cancel. */
public record Principal(String name) {
    /** The user of this machine: any client that needs no authentication. */
    public static final Principal LOCAL = new Principal("local");
}
