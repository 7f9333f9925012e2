package dev.pysandbox.egress;

import dev.pysandbox.egress.ProxyProblem.Status;
import dev.pysandbox.egress.http.MessageBody;
import dev.pysandbox.egress.http.MessageSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A request to a virtual host, and its response. */
record VirtualExchange(ProxyRequest request, VirtualHost host) {
    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    /** Reason phrases, which clients show in their messages. */
    private static final Map<Integer, String> REASONS = Map.of(
            200, "OK",
            206, "Partial Content",
            304, "Not Modified",
            401, "Unauthorized",
            403, "Forbidden",
            404, "Not Found",
            429, "Too Many Requests",
            500, "Internal Server Error",
            503, "Service Unavailable");

    /** Returns after the last byte of the response, or throws before its first byte. */
    void run(SocketChannel client) throws IOException {
        VirtualHost.Answer answer = answer();
        try (VirtualHost.Content content = answer.content()) {
            boolean chunked = answer.length().isEmpty() && request.version().equals("HTTP/1.1");
            MessageSource.write(head(answer, chunked), client);
            if (!request.method().equals("HEAD")) {
                copy(content, client, chunked);
            }
        }
    }

    private VirtualHost.Answer answer() throws ProxyProblem {
        if (!METHODS.contains(request.method()) || !request.body().equals(MessageBody.NONE)) {
            throw new ProxyProblem(Status.FORBIDDEN, host.name() + " takes only GET and HEAD, by plain HTTP");
        }
        Map<String, String> fields = new LinkedHashMap<>();
        request.head().fields().forEach(field -> fields.put(field.name().toLowerCase(Locale.ROOT), field.value()));
        try {
            return host.answer(request.method(), request.path(), fields);
        } catch (ProxyProblem e) {
            throw e;
        } catch (IOException e) {
            throw new ProxyProblem(Status.BAD_GATEWAY, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProxyProblem(Status.BAD_GATEWAY, "the sandbox is closed");
        }
    }

    private static String head(VirtualHost.Answer answer, boolean chunked) {
        StringBuilder head = new StringBuilder(
                "HTTP/1.1 " + answer.status() + " " + REASONS.getOrDefault(answer.status(), "") + "\r\n");
        answer.fields()
                .forEach((name, value) -> head.append(name)
                        .append(": ")
                        .append(value.replaceAll("[\\x00-\\x1f\\x7f]", " "))
                        .append("\r\n"));
        answer.length().ifPresent(length -> head.append("Content-Length: " + length + "\r\n"));
        if (chunked) {
            head.append("Transfer-Encoding: chunked\r\n");
        }
        return head.append("Connection: close\r\n\r\n").toString();
    }

    /** Sends no last chunk if the content is incomplete, so that the client notices it. */
    private static void copy(VirtualHost.Content content, SocketChannel client, boolean chunked) throws IOException {
        try {
            if (chunked) {
                ChunkedOutput output = new ChunkedOutput(client);
                content.copy(output);
                output.finish();
            } else {
                content.copy(Channels.newOutputStream(client));
            }
        } catch (IOException e) {
            throw (IOException) new InterruptedIOException("the response was incomplete").initCause(e);
        }
    }

    /** Writes each write as a chunk. */
    private static final class ChunkedOutput extends OutputStream {
        private final SocketChannel client;

        ChunkedOutput(SocketChannel client) {
            this.client = client;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > 0) {
                MessageSource.write(Integer.toHexString(length) + "\r\n", client);
                MessageSource.write(ByteBuffer.wrap(bytes, offset, length), client);
                MessageSource.write("\r\n", client);
            }
        }

        void finish() throws IOException {
            MessageSource.write("0\r\n\r\n", client);
        }
    }
}
