package dev.pysandbox.mcp.stdio;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.pysandbox.mcp.ClientSession;
import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.Principal;
import dev.pysandbox.mcp.jsonrpc.BatchResponse;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.MessageWriter;
import dev.pysandbox.mcp.jsonrpc.Outgoing;
import dev.pysandbox.mcp.jsonrpc.ResponseChannel;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import dev.pysandbox.mcp.stdio.LineReader.Line;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects a client that sends and receives lines of JSON to the server. No line can end the connection. */
final class LineConnection {
    private static final Logger log = LoggerFactory.getLogger(LineConnection.class);

    private final McpServer server;
    private final ClientSession session;
    private final MessageWriter writer;
    private final LineWriter out;

    LineConnection(McpServer server, LineWriter out) {
        this.server = server;
        this.session = server.openSession(Principal.LOCAL);
        this.writer = new MessageWriter(server.json());
        this.out = out;
    }

    ClientSession session() {
        return session;
    }

    /** Handles a line; never waits for a tool call, never throws. */
    void receive(Line line) {
        try {
            if (line instanceof Line.Text text) {
                receive(text.value());
            } else if (line instanceof Line.BadEncoding) {
                refuse(RpcError.parseError("The line is not valid UTF-8."));
            } else {
                refuse(RpcError.invalidRequest("The line is too long."));
            }
        } catch (RuntimeException | Error e) { // also out of memory or stack: only this line is lost
            log.error("A line could not be handled", e);
            refuse(RpcError.internal());
        }
    }

    private void receive(String text) {
        if (text.isBlank()) {
            return;
        }
        Object message;
        try {
            message = server.json().readValue(text, Object.class);
        } catch (StreamConstraintsException e) {
            refuse(RpcError.parseError("The line has too many values or is nested too deeply."));
            return;
        } catch (JsonProcessingException e) {
            refuse(RpcError.parseError("The line is not valid JSON."));
            return;
        }
        if (message instanceof List<?> members && !members.isEmpty() && session.allowsBatches()) {
            BatchResponse batch = new BatchResponse(members.size(), this::write, this::write);
            members.forEach(member -> server.handle(session, Incoming.of(member), batch));
        } else {
            server.handle(session, Incoming.of(message), new SingleResponse());
        }
    }

    private void refuse(RpcError error) {
        write(new Outgoing.Failure(Optional.empty(), error));
    }

    private void write(List<Outgoing> responses) {
        if (!responses.isEmpty()) {
            out.write(writer.text(responses));
        }
    }

    private void write(Outgoing message) {
        out.write(writer.text(message));
    }

    /** The response to a message that is not part of a batch. */
    private final class SingleResponse implements ResponseChannel {
        @Override
        public void notify(Outgoing.Notification notification) {
            write(notification);
        }

        @Override
        public void respond(Outgoing response) {
            write(response);
        }

        @Override
        public void close() {}
    }
}
