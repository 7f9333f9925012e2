package dev.pysandbox.mcp;

import java.util.Map;

/** Takes the answer to one message, or the word that there will be none: one of the two, once. */
interface AnswerSink {
    void answer(Map<String, Object> message);

    void nothing();
}
