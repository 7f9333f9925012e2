package dev.pysandbox.index;

import java.io.IOException;

/** What is wrong with what an index sends. */
final class IndexProblem extends IOException {
    private static final long serialVersionUID = 1;

    IndexProblem(String sentence) {
        super(sentence);
    }
}
