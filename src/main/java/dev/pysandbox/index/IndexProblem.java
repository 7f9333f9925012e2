package dev.pysandbox.index;

import java.io.IOException;

/** An index sent invalid data. */
final class IndexProblem extends IOException {
    private static final long serialVersionUID = 1;

    IndexProblem(String sentence) {
        super(sentence);
    }
}
