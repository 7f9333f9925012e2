package dev.pysandbox;

import java.util.Random;

/**
 * How hard the tests that make up their input try. {@code ./mvnw verify -Dfuzz=40} makes forty times as many rounds as
 * usual, of other inputs each time.
 */
public final class Fuzz {
    private static final int FACTOR = Integer.getInteger("fuzz", 1);

    private Fuzz() {}

    public static int rounds(int usual) {
        return Math.multiplyExact(usual, FACTOR);
    }

    /** The usual inputs come back the same; those of a longer run are named by a seed that is printed. */
    public static Random random(long usualSeed) {
        if (FACTOR == 1) {
            return new Random(usualSeed);
        }
        long seed = System.nanoTime();
        System.out.println("fuzzing with the seed " + seed);
        return new Random(seed);
    }
}
