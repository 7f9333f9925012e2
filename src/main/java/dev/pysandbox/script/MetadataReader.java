package dev.pysandbox.script;

import dev.pysandbox.support.ShortText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseOptions;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import org.tomlj.TomlVersion;

/** Parses the TOML of a metadata block and checks its types. */
final class MetadataReader {
    private static final Set<String> KNOWN_KEYS = Set.of("dependencies", "requires-python", "tool");
    private static final int NAMED_KEYS = 10;

    /** Enough for the largest allowed number of dependencies, each of the largest length. */
    private static final int MAX_LENGTH = 300_000;

    /** The parser's time grows with the square of the number of invalid lines. */
    private static final int MAX_LINES = 5_000;

    private static final int MAX_PROBLEM_LENGTH = 300;

    /** The version that Python's own tomllib reads. */
    private static final TomlParseOptions OPTIONS =
            TomlParseOptions.sourceless().withVersion(TomlVersion.V1_0_0);

    private final MetadataBlock block;
    private final String content;
    private final List<String> warnings;

    MetadataReader(MetadataBlock block, List<String> warnings) {
        this.block = block;
        this.content = block.content();
        this.warnings = warnings;
    }

    InlineMetadata read() throws InvalidScriptException {
        long lines = content.lines().count();
        if (content.length() > MAX_LENGTH || lines > MAX_LINES) {
            throw new InvalidScriptException("the metadata block has " + lines + " lines and " + content.length()
                            + " characters, but at most " + MAX_LINES + " and " + MAX_LENGTH
                            + " are allowed: shorten it")
                    .at("line " + block.line());
        }
        TomlParseResult toml = Toml.parse(content, OPTIONS);
        if (toml.hasErrors()) {
            throw syntaxError(toml.errors().get(0));
        }
        InlineMetadata metadata = new InlineMetadata(requiresPython(toml), dependencies(toml));
        warnOfUnknownKeys(toml);
        warnOfUvSettings(toml);
        return metadata;
    }

    private InvalidScriptException syntaxError(TomlParseError error) {
        List<String> lines = content.lines().toList();
        int index = error.position().line() - 1;
        String problem = index < lines.size() && lines.get(index).equals("///")
                ? "this '# ///' does not end the metadata block, as comment lines up to another '# ///' follow: put an"
                        + " empty line behind it"
                : "the metadata block is not valid TOML: "
                        + ShortText.line(String.valueOf(error.getMessage()), MAX_PROBLEM_LENGTH);
        return new InvalidScriptException(problem).at(place(error.position()));
    }

    private Optional<VersionSpecifiers> requiresPython(TomlTable toml) throws InvalidScriptException {
        List<String> key = List.of("requires-python");
        if (!toml.contains(key)) {
            return Optional.empty();
        }
        if (!toml.isString(key)) {
            throw new InvalidScriptException("'requires-python' must be a string such as \">=3.13\"")
                    .at(place(toml.inputPositionOf(key)));
        }
        try {
            return Optional.of(VersionSpecifiers.parse(toml.getString(key)));
        } catch (InvalidScriptException e) {
            throw e.at(place(toml.inputPositionOf(key)) + ": requires-python");
        }
    }

    private List<Requirement> dependencies(TomlTable toml) throws InvalidScriptException {
        List<String> key = List.of("dependencies");
        if (!toml.contains(key)) {
            return List.of();
        }
        if (!toml.isArray(key)) {
            throw new InvalidScriptException("'dependencies' must be an array of strings such as [\"requests>=2.32\"]")
                    .at(place(toml.inputPositionOf(key)));
        }
        TomlArray array = toml.getArray(key);
        ScriptRequirements.checkCount(array.size());
        List<Requirement> requirements = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            requirements.add(dependency(array, i));
        }
        return requirements;
    }

    private Requirement dependency(TomlArray array, int index) throws InvalidScriptException {
        String place = place(array.inputPositionOf(index));
        if (!array.isString(index)) {
            throw new InvalidScriptException("each of 'dependencies' must be a string such as \"requests>=2.32\"")
                    .at(place);
        }
        try {
            return Requirement.parse(array.getString(index));
        } catch (InvalidScriptException e) {
            throw e.at(place);
        }
    }

    private void warnOfUnknownKeys(TomlTable toml) {
        List<String> unknown = toml.keySet().stream()
                .filter(key -> !KNOWN_KEYS.contains(key) || (key.equals("tool") && !toml.isTable(List.of(key))))
                .toList();
        if (!unknown.isEmpty()) {
            warnings.add(place(toml.inputPositionOf(List.of(unknown.get(0)))) + ": not known to PEP 723 and ignored: "
                    + named(unknown));
        }
    }

    private void warnOfUvSettings(TomlTable toml) {
        if (!toml.isTable(List.of("tool")) || !toml.getTable(List.of("tool")).contains(List.of("uv"))) {
            return;
        }
        List<String> path = List.of("tool", "uv");
        List<String> keys = toml.isTable(path) ? List.copyOf(toml.getTable(path).keySet()) : List.of();
        warnings.add(place(toml.inputPositionOf(path)) + ": [tool.uv] is ignored here"
                + (keys.isEmpty() ? "" : ": " + named(keys)));
    }

    private static String named(List<String> keys) {
        String named = keys.stream()
                .limit(NAMED_KEYS)
                .map(InvalidScriptException::quote)
                .collect(Collectors.joining(", "));
        return keys.size() > NAMED_KEYS ? named + " and " + (keys.size() - NAMED_KEYS) + " more" : named;
    }

    /** Converts a position in the TOML to a position in the script. */
    private String place(TomlPosition position) {
        return place(block.line() + position.line(), position.column() + "# ".length());
    }

    static String place(int line, int column) {
        return "line " + line + ", column " + column;
    }
}
