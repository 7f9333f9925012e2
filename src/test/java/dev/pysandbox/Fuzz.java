package dev.pysandbox;

import java.util.Random;

/**
 * Controls tests with random input. {@code ./mvnw verify -Dfuzz=40} runs forty times as many rounds, with other inputs
 * each time.
 */
public final class Fuzz {
    private static final int FACTOR = Integer.getInteger("fuzz", 1);

    private Fuzz() {}

    public static int rounds(int usual) {
        return Math.multiplyExact(usual, FACTOR);
    }

    /** Returns a generator with a fixed seed; in a longer run, with a new seed, which is printed. */
    public static Random random(long usualSeed) {
        if (FACTOR == 1) {
            return new Random(usualSeed);
        }
        long seed = System.nanoTime();
        System.out.println("fuzzing with the seed " + seed);
        return new Random(seed);
    }
}
