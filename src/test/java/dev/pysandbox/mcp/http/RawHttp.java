package dev.pysandbox.mcp.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A connection on which a test sends what no HTTP library would send. */
final class RawHttp implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Socket socket = new Socket();
    private final InputStream in;

    RawHttp(InetSocketAddress server) throws IOException {
        socket.connect(server);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
    }

    /** A response. */
    record Response(int status, String header, String body) {
        /** Returns the value of a header, or an empty text. */
        String header(String name) {
            return header.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }

        /** Returns the body as JSON, or the JSON of the last event of a stream. */
        JsonNode json() {
            try {
                int event = body.lastIndexOf("data: ");
                return JSON.readTree(event < 0 ? body : body.substring(event + 6));
            } catch (IOException e) {
                throw new AssertionError(body, e);
            }
        }
    }

    RawHttp send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Sends a POST with these lines of the header, and reads the response. */
    Response post(String body, String... header) throws IOException {
        sendPost(body, header);
        return receive();
    }

    RawHttp sendPost(String body, String... header) throws IOException {
        StringBuilder text = new StringBuilder("POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ");
        text.append(body.getBytes(StandardCharsets.UTF_8).length).append("\r\n");
        for (String line : header) {
            text.append(line).append("\r\n");
        }
        return send(text.append("\r\n").append(body).toString());
    }

    /** Reads a response; its status is 0 if the connection was closed before. */
    Response receive() throws IOException {
        String header = readHeader();
        if (header.isEmpty()) {
            return new Response(0, "", "");
        }
        Response response = new Response(Integer.parseInt(header.substring(9, 12)), header, "");
        String body = response.header("Transfer-Encoding").equals("chunked")
                ? readChunks()
                : read(
                        response.header("Content-Length").isEmpty()
                                ? 0
                                : Integer.parseInt(response.header("Content-Length")));
        return new Response(response.status(), header, body);
    }

    /** Reads up to the end of the header; empty if the connection was closed. */
    String readHeader() throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        try {
            while (!header.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    return "";
                }
                header.write(next);
            }
        } catch (java.net.SocketException e) {
            return ""; // reset
        }
        return header.toString(StandardCharsets.ISO_8859_1);
    }

    private String readChunks() throws IOException {
        StringBuilder body = new StringBuilder();
        String chunk = readChunk();
        while (!chunk.isEmpty()) {
            body.append(chunk);
            chunk = readChunk();
        }
        return body.toString();
    }

    /** Reads one chunk of a stream; empty at its end. */
    String readChunk() throws IOException {
        StringBuilder length = new StringBuilder();
        while (length.indexOf("\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the stream was cut");
            }
            length.append((char) next);
        }
        String chunk = read(Integer.parseInt(length.substring(0, length.length() - 2), 16));
        read(2);
        return chunk;
    }

    private String read(int bytes) throws IOException {
        return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
    }

    /** Reads what comes until the server closes the connection. */
    String readToEnd() throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        byte[] bytes = new byte[1 << 16];
        try {
            int length = in.read(bytes);
            while (length >= 0) {
                received.write(bytes, 0, length);
                length = in.read(bytes);
            }
        } catch (java.net.SocketException e) {
            // reset: also an end
        }
        return received.toString(StandardCharsets.UTF_8);
    }

    /** Returns whether the server has closed the connection. */
    boolean isClosed() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
