package dev.pysandbox.mcp.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.util.List;
import java.util.Map;

/** Validates JSON values against JSON schemas. */
public final class Schemas {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Schemas() {}

    /** Returns the violations of the schema. */
    public static List<String> problems(Map<String, Object> schema, Object value) {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(JSON.<JsonNode>valueToTree(schema))
                .validate(JSON.valueToTree(value))
                .stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }
}
