package dev.pysandbox.mcp.jsonrpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.io.IOException;
import java.util.Map;

/** Implements the SDK's JSON mapper with Jackson 2. */
public final class Jackson2Mapper implements McpJsonMapper {
    /** The most values, names and brackets of a message: in memory, each may take 100 bytes. */
    public static final int MAX_TOKENS = 100_000;

    private final JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                    // A message may contain a large file as one string.
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Incoming.MAX_BYTES)
                            .maxTokenCount(MAX_TOKENS)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    @Override
    public <T> T readValue(String content, Class<T> type) throws JsonProcessingException {
        return mapper.readValue(content, type);
    }

    @Override
    public <T> T readValue(byte[] content, Class<T> type) throws IOException {
        return mapper.readValue(content, type);
    }

    @Override
    public <T> T readValue(String content, TypeRef<T> type) throws JsonProcessingException {
        return mapper.readValue(content, javaType(type));
    }

    @Override
    public <T> T readValue(byte[] content, TypeRef<T> type) throws IOException {
        return mapper.readValue(content, javaType(type));
    }

    @Override
    public <T> T convertValue(Object value, Class<T> type) {
        return mapper.convertValue(value, type);
    }

    @Override
    @SuppressWarnings("unchecked") // the SDK asks for a T by its type
    public <T> T convertValue(Object value, TypeRef<T> type) {
        // Used in every call; Jackson would take 0.3 ms.
        if (type.getType() == CallToolRequest.class && value instanceof Map<?, ?> params) {
            return (T) new CallToolRequest(
                    String.valueOf(params.get("name")),
                    PlainJson.object(params.get("arguments")).orElse(Map.of()),
                    PlainJson.object(params.get("_meta")).orElse(Map.of()));
        }
        return mapper.convertValue(value, javaType(type));
    }

    @Override
    public String writeValueAsString(Object value) throws JsonProcessingException {
        return mapper.writeValueAsString(value);
    }

    @Override
    public byte[] writeValueAsBytes(Object value) throws JsonProcessingException {
        return mapper.writeValueAsBytes(value);
    }

    private JavaType javaType(TypeRef<?> type) {
        return mapper.constructType(type.getType());
    }
}
