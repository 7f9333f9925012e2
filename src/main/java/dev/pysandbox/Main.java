package dev.pysandbox;

/** Entry of the executable JAR. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(0);
    }
}
