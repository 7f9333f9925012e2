package dev.pysandbox.mcp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.pysandbox.mcp.LineReader.Line;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers what every client asks first ({@code initialize}, {@code ping}, {@code tools/list}) without the SDK and
 * without databinding, which take longer to load than some clients wait.
 *
 * <p>It answers plain questions only, exactly as the SDK would, and leaves whatever is unusual to be answered later. No
 * lambda in here: the first one costs 30 ms.
 */
final class EarlyHandshake {
    private static final String META_PREFIX = "io.modelcontextprotocol/";

    private final JsonFactory json = new JsonFactory();
    private final List<ToolText> tools;
    private final boolean resources;
    private Optional<String> version = Optional.empty();
    private Optional<String> client = Optional.empty();
    private boolean listed;

    /** @param resources whether files are offered too */
    EarlyHandshake(List<ToolText> tools, boolean resources) {
        this.tools = List.copyOf(tools);
        this.resources = resources;
    }

    /** The revision that the client asked for, if it has done so yet. */
    Optional<String> version() {
        return version;
    }

    /** The name that the client gave itself, if it has done so yet. */
    Optional<String> client() {
        return client;
    }

    /** Whether the client has seen the tools. */
    boolean listed() {
        return listed;
    }

    /** Answers a line if that can be done here; what is false must be handled by someone else. */
    boolean answer(Line line, LineWriter out) {
        if (!(line instanceof Line.Text text)) {
            return false;
        }
        try {
            Optional<Question> question = read(text.value());
            Optional<String> answer = question.isPresent() ? answer(question.get()) : Optional.empty();
            if (answer.isPresent()) {
                out.write(answer.get());
            }
            return question.isPresent();
        } catch (IOException e) {
            return false; // not JSON
        }
    }

    /** A message that can be answered here; {@code id} is JSON, and missing in a notification. */
    private record Question(Optional<String> id, String method, Optional<String> version, Optional<String> client) {
        boolean isAnswerable() {
            return switch (method) {
                case "initialize" -> id.isPresent() && version.isPresent();
                case "ping", "tools/list" -> id.isPresent();
                case "notifications/initialized" -> id.isEmpty();
                default -> false;
            };
        }
    }

    private Optional<Question> read(String line) throws IOException {
        Optional<String> id = Optional.empty();
        Params params = Params.NONE;
        String method = "";
        boolean plain;
        boolean versioned = false;
        try (JsonParser parser = json.createParser(line)) {
            plain = parser.nextToken() == JsonToken.START_OBJECT;
            while (plain && parser.nextToken() == JsonToken.FIELD_NAME) {
                String member = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (member) {
                    case "jsonrpc" -> versioned = "2.0".equals(string(parser));
                    case "method" ->
                        method = Optional.ofNullable(string(parser)).orElse("");
                    case "id" -> {
                        id = id(parser);
                        plain = id.isPresent();
                    }
                    case "params" -> {
                        params = value == JsonToken.START_OBJECT ? params(parser) : Params.UNUSUAL;
                        plain = params.plain();
                    }
                    default -> plain = false;
                }
            }
            plain = plain && versioned && parser.nextToken() == null;
        }
        Question question = new Question(id, method, params.version(), params.client());
        return plain && question.isAnswerable() ? Optional.of(question) : Optional.empty();
    }

    /** What matters here of a message's parameters. */
    private record Params(boolean plain, Optional<String> version, Optional<String> client) {
        static final Params NONE = new Params(true, Optional.empty(), Optional.empty());
        static final Params UNUSUAL = new Params(false, Optional.empty(), Optional.empty());
    }

    private static Params params(JsonParser parser) throws IOException {
        Optional<String> version = Optional.empty();
        Optional<String> client = Optional.empty();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String member = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (member) {
                case "protocolVersion" -> version = Optional.ofNullable(string(parser));
                case "clientInfo" -> {
                    if (value != JsonToken.START_OBJECT) {
                        return Params.UNUSUAL;
                    }
                    client = name(parser);
                }
                case "capabilities", "_meta" -> {
                    if (value != JsonToken.START_OBJECT || !skipPlainObject(parser)) {
                        return Params.UNUSUAL;
                    }
                }
                default -> {
                    return Params.UNUSUAL;
                }
            }
        }
        return new Params(true, version, client);
    }

    private static Optional<String> name(JsonParser parser) throws IOException {
        Optional<String> name = Optional.empty();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean named = parser.currentName().equals("name");
            parser.nextToken();
            if (named) {
                name = Optional.ofNullable(string(parser));
            }
            parser.skipChildren();
        }
        return name;
    }

    /** False where a member says that the message is of the stateless era. */
    private static boolean skipPlainObject(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            if (parser.currentName().startsWith(META_PREFIX)) {
                return false;
            }
            parser.nextToken();
            parser.skipChildren();
        }
        return true;
    }

    private static @Nullable String string(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getText() : null;
    }

    private Optional<String> id(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return Optional.of(parser.getText());
        }
        String text = string(parser);
        if (text == null) {
            return Optional.empty();
        }
        StringWriter quoted = new StringWriter();
        try (JsonGenerator generator = json.createGenerator(quoted)) {
            generator.writeString(text);
        }
        return Optional.of(quoted.toString());
    }

    private Optional<String> answer(Question question) {
        if (question.id().isEmpty()) {
            return Optional.empty();
        }
        StringWriter line = new StringWriter();
        try (JsonGenerator generator = json.createGenerator(line)) {
            generator.writeStartObject();
            generator.writeStringField("jsonrpc", "2.0");
            generator.writeFieldName("id");
            generator.writeRawValue(question.id().get());
            generator.writeObjectFieldStart("result");
            switch (question.method()) {
                case "initialize" -> {
                    client = question.client();
                    writeServer(generator, question.version().orElse(""));
                }
                case "tools/list" -> writeTools(generator);
                default -> {} // a ping is answered with nothing
            }
            generator.writeEndObject();
            generator.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.of(line.toString());
    }

    private void writeServer(JsonGenerator generator, String wanted) throws IOException {
        version = Optional.of(wanted);
        List<String> known = ServerIdentity.HANDSHAKE_VERSIONS;
        generator.writeStringField("protocolVersion", known.contains(wanted) ? wanted : known.get(known.size() - 1));
        generator.writeObjectFieldStart("capabilities");
        generator.writeObjectFieldStart("logging");
        generator.writeEndObject();
        if (resources) {
            generator.writeObjectFieldStart("resources");
            generator.writeBooleanField("subscribe", false);
            generator.writeBooleanField("listChanged", false);
            generator.writeEndObject();
        }
        generator.writeObjectFieldStart("tools");
        generator.writeBooleanField("listChanged", false);
        generator.writeEndObject();
        generator.writeEndObject();
        generator.writeObjectFieldStart("serverInfo");
        generator.writeStringField("name", ServerIdentity.NAME);
        generator.writeStringField("version", ServerIdentity.VERSION);
        generator.writeEndObject();
        generator.writeStringField("instructions", ServerIdentity.INSTRUCTIONS);
    }

    private void writeTools(JsonGenerator generator) throws IOException {
        listed = true;
        generator.writeArrayFieldStart("tools");
        for (ToolText tool : tools) {
            generator.writeStartObject();
            generator.writeStringField("name", tool.name());
            generator.writeStringField("description", tool.description());
            try (JsonParser parser = json.createParser(tool.schemas())) {
                parser.nextToken();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String part = parser.currentName();
                    parser.nextToken();
                    if (part.equals("output") && ContentOnly.isFor(client)) {
                        parser.skipChildren();
                    } else {
                        generator.writeFieldName(part.equals("annotations") ? part : part + "Schema");
                        generator.copyCurrentStructure(parser);
                    }
                }
            }
            generator.writeEndObject();
        }
        generator.writeEndArray();
    }
}
