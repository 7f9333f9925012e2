package dev.pysandbox.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes messages as lines of JSON; as a sink it writes each answer by itself. */
final class MessageWriter implements AnswerSink {
    private static final Logger LOG = LoggerFactory.getLogger(MessageWriter.class);

    private final Jackson2Mapper json;
    private final LineWriter out;

    MessageWriter(Jackson2Mapper json, LineWriter out) {
        this.json = json;
        this.out = out;
    }

    /** Writes an answer, or a list of answers. */
    void write(Object message) {
        String line;
        try {
            line = json.writeValueAsString(message);
        } catch (JsonProcessingException | OutOfMemoryError e) {
            LOG.error("A message could not be written", e);
            Optional<Object> id = Incoming.object(message).map(object -> object.get("id"));
            write(Outgoing.error(id, RpcError.internal()));
            return;
        }
        out.write(line);
    }

    void notify(String method, Map<String, Object> params) {
        write(Outgoing.notification(method, params));
    }

    /** Says what is wrong with a line of which not even the id is known. */
    void refuse(RpcError error) {
        write(Outgoing.error(Optional.empty(), error));
    }

    @Override
    public void answer(Map<String, Object> message) {
        write(message);
    }

    @Override
    public void nothing() {}
}
