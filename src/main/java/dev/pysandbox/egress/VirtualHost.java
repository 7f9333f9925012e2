package dev.pysandbox.egress;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A host without an address: the proxy answers plain HTTP requests for it itself.
 *
 * <p>Only GET and HEAD without content are handed to it.
 */
public interface VirtualHost {
    /** Its name, at port 80. */
    String name();

    /**
     * Answers a request.
     *
     * @param path with its query, as the client sent it
     * @param fields the header fields of the request, by their names in lower case
     * @throws IOException with a sentence for the client, if there is no answer
     */
    Answer answer(String method, String path, Map<String, String> fields) throws IOException, InterruptedException;

    /**
     * An answer whose head is known.
     *
     * @param fields without those that delimit the content
     * @param length of the content, if it is known
     */
    record Answer(int status, Map<String, String> fields, OptionalLong length, Content content) {
        public Answer {
            fields = Map.copyOf(fields);
        }
    }

    /** What follows the head. */
    interface Content extends Closeable {
        void copy(OutputStream to) throws IOException;
    }
}
