package dev.pysandbox.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Gathers the answers to the members of a JSON-RPC batch and hands them on as one list when the last has come. */
final class Batch implements AnswerSink {
    private final Consumer<List<Map<String, Object>>> whenComplete;
    private final List<Map<String, Object>> answers = new ArrayList<>();
    private int awaited;

    Batch(int members, Consumer<List<Map<String, Object>>> whenComplete) {
        this.awaited = members;
        this.whenComplete = whenComplete;
    }

    @Override
    public synchronized void answer(Map<String, Object> message) {
        answers.add(message);
        nothing();
    }

    @Override
    public synchronized void nothing() {
        awaited--;
        if (awaited == 0 && !answers.isEmpty()) {
            whenComplete.accept(answers);
        }
    }
}
