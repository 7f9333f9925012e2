package dev.pysandbox.egress.http;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The first line and the header fields of an HTTP message, parsed strictly: ambiguous ones are refused. */
public record MessageHead(String startLine, List<Field> fields) {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "keep-alive", "te", "trailer", "upgrade", "max-forwards");
    /** The fields that delimit and route a message; a {@code Connection} field must not remove them. */
    private static final Set<String> KEPT = Set.of("content-length", "transfer-encoding", "host");

    public record Field(String name, String value) {}

    public MessageHead {
        fields = List.copyOf(fields);
    }

    public static MessageHead read(MessageSource source, int maxBytes) throws IOException {
        String startLine = source.readLine(maxBytes);
        int left = maxBytes - startLine.length();
        List<Field> fields = new ArrayList<>();
        for (String line = source.readLine(left); !line.isEmpty(); line = source.readLine(left)) {
            fields.add(field(line));
            left = Math.max(0, left - line.length() - 2);
        }
        return new MessageHead(startLine, fields);
    }

    private static Field field(String line) throws ProtocolException {
        int colon = line.indexOf(':');
        if (colon < 0 || !TOKEN.matcher(line.substring(0, colon)).matches()) {
            throw new ProtocolException("a header line is not of the form 'Name: value'");
        }
        return new Field(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    public static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    public List<String> values(String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    /**
     * Returns the end-to-end fields as header lines.
     *
     * @param without further names, in lower case, to leave out
     */
    public String endToEnd(Set<String> without) {
        Set<String> dropped = namedByConnection();
        dropped.removeIf(KEPT::contains);
        dropped.addAll(HOP_BY_HOP);
        dropped.addAll(without);
        StringBuilder lines = new StringBuilder();
        for (Field field : fields) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (!name.startsWith("proxy-") && !dropped.contains(name)) {
                lines.append(field.name()).append(": ").append(field.value()).append("\r\n");
            }
        }
        return lines.toString();
    }

    private Set<String> namedByConnection() {
        Set<String> names = new HashSet<>();
        for (String value : values("connection")) {
            for (String name : value.split(",", -1)) {
                names.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }
}
