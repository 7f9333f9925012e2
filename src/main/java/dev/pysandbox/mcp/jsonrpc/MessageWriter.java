package dev.pysandbox.mcp.jsonrpc;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes messages as JSON on one line; a message that can't be written becomes an internal error. */
public final class MessageWriter {
    private static final Logger log = LoggerFactory.getLogger(MessageWriter.class);

    private final Jackson2Mapper json;

    public MessageWriter(Jackson2Mapper json) {
        this.json = json;
    }

    public String text(Outgoing message) {
        return text(message, message instanceof Outgoing.Result result ? Optional.of(result.id()) : Optional.empty());
    }

    public String text(List<Outgoing> batch) {
        return text(batch, Optional.empty());
    }

    private String text(Object message, Optional<Object> id) {
        try {
            return json.writeValueAsString(message);
        } catch (JsonProcessingException | OutOfMemoryError e) {
            log.error("A message could not be written", e);
            return text(new Outgoing.Failure(id, RpcError.internal()), id);
        }
    }
}
