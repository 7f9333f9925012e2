package dev.pysandbox.egress;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A host without an address, for which the proxy itself handles plain HTTP requests.
 *
 * <p>It receives only GET and HEAD requests without content.
 */
public interface VirtualHost {
    /** Returns its name; its port is 80. */
    String name();

    /**
     * Handles a request.
     *
     * @param path the path with its query, as the client sent it
     * @param fields the header fields of the request, by name in lower case
     * @throws IOException with a message for the client, if there is no response
     */
    Answer answer(String method, String path, Map<String, String> fields) throws IOException, InterruptedException;

    /**
     * A response with a known head.
     *
     * @param fields the header fields, without those that delimit the content
     * @param length the length of the content, if known
     */
    record Answer(int status, Map<String, String> fields, OptionalLong length, Content content) {
        public Answer {
            fields = Map.copyOf(fields);
        }
    }

    /** The content of a response. */
    interface Content extends Closeable {
        void copy(OutputStream to) throws IOException;
    }
}
