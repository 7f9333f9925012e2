package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.Headers;
import dev.pysandbox.mcp.ServerIdentity;
import dev.pysandbox.mcp.StatelessProtocol;
import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the headers that repeat parts of the body with the body.
 *
 * @see <a
 *     href="https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation">
 *     MCP 2026-07-28</a>
 */
final class MirroredHeaders {
    static final String VERSION = "MCP-Protocol-Version";
    static final String METHOD = "Mcp-Method";
    static final String NAME = "Mcp-Name";

    private static final Map<String, String> NAMED =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");
    private static final String ENCODED_START = "=?base64?";
    private static final String ENCODED_END = "?=";

    private MirroredHeaders() {}

    /** Returns the error of a request of the stateless revision whose headers are missing or differ from the body. */
    static Optional<RpcError> refuse(Headers headers, Request request) {
        Object version = request.meta().get(StatelessProtocol.VERSION);
        Optional<RpcError> refusal;
        if (version instanceof String) {
            refusal = compare(headers, VERSION, version);
        } else {
            refusal = values(headers, VERSION).size() == 1
                    ? unsupported(values(headers, VERSION).get(0))
                    : mismatch(VERSION);
        }
        return refusal.or(() -> compare(headers, METHOD, request.method())).or(() -> compareName(headers, request));
    }

    private static Optional<RpcError> unsupported(String version) {
        return ServerIdentity.STATELESS_VERSIONS.contains(version)
                ? Optional.empty()
                : Optional.of(StatelessProtocol.unsupported(version));
    }

    private static Optional<RpcError> compareName(Headers headers, Request request) {
        String source = NAMED.get(request.method());
        Object name = source == null ? null : request.params().get(source);
        return source == null || !(name instanceof String || headers.containsKey(NAME))
                ? Optional.empty()
                : compare(headers, NAME, name);
    }

    private static Optional<RpcError> compare(Headers headers, String header, @Nullable Object expected) {
        List<String> values = values(headers, header);
        boolean equal = values.size() == 1
                && (header.equals(NAME) ? decoded(values.get(0)) : Optional.of(values.get(0)))
                        .filter(value -> value.equals(expected))
                        .isPresent();
        return equal ? Optional.empty() : mismatch(header);
    }

    private static Optional<RpcError> mismatch(String header) {
        return Optional.of(RpcError.headerMismatch("The header " + header + " must be there once and equal the body."));
    }

    private static List<String> values(Headers headers, String header) {
        return headers.getOrDefault(header, List.of()).stream()
                .map(String::strip)
                .toList();
    }

    private static Optional<String> decoded(String value) {
        if (!value.startsWith(ENCODED_START)
                || !value.endsWith(ENCODED_END)
                || value.length() < ENCODED_START.length() + ENCODED_END.length()) {
            return Optional.of(value);
        }
        String base64 = value.substring(ENCODED_START.length(), value.length() - ENCODED_END.length());
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            // The decoder of the JDK accepts missing padding.
            return Base64.getEncoder().encodeToString(bytes).equals(base64)
                    ? Optional.of(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString())
                    : Optional.empty();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
