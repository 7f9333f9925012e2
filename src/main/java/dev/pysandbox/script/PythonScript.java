package dev.pysandbox.script;

import dev.pysandbox.support.ShortText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A script and its metadata.
 *
 * @param source the unchanged text
 * @param metadata the content of its {@code script} block, if there is one (PEP 723)
 * @param warnings sentences for the author
 */
public record PythonScript(String source, Optional<InlineMetadata> metadata, List<String> warnings) {
    private static final String BLOCK_TYPE = "script";
    private static final Pattern ALMOST_AN_OPENING = Pattern.compile("(?md)^#[ \\t]*///[ \\t]*script[ \\t]*$");

    public PythonScript {
        warnings = List.copyOf(warnings);
    }

    /** Checks the characters of the text and parses the metadata. */
    public static PythonScript parse(String source) throws InvalidScriptException {
        checkCharacters(source);
        String text = withLineFeeds(source.startsWith("\ufeff") ? source.substring(1) : source);
        MetadataBlock.Found found = MetadataBlock.find(text);
        List<MetadataBlock> blocks = found.blocks().stream()
                .filter(block -> block.type().equals(BLOCK_TYPE))
                .toList();
        if (blocks.size() > 1) {
            throw new InvalidScriptException("multiple script blocks: lines "
                    + blocks.get(0).line() + " and " + blocks.get(1).line()
                    + " both open a '# /// script' block: keep one of the two");
        }
        List<String> warnings = new ArrayList<>();
        if (blocks.isEmpty()) {
            warnOfLostBlocks(text, found, warnings);
            return new PythonScript(source, Optional.empty(), warnings);
        }
        InlineMetadata metadata = new MetadataReader(blocks.get(0), warnings).read();
        return new PythonScript(source, Optional.of(metadata), warnings);
    }

    private static void warnOfLostBlocks(String text, MetadataBlock.Found found, List<String> warnings) {
        found.unclosed().stream()
                .filter(block -> block.type().equals(BLOCK_TYPE))
                .findFirst()
                .ifPresentOrElse(
                        block -> warnings.add(
                                "line " + block.line() + " opens a '# /// script' block that no line '# ///'"
                                        + " closes; its comment lines ('#' alone or '# ' and text) end in line "
                                        + block.lastLine() + ": the block is ignored"),
                        () -> ALMOST_AN_OPENING
                                .matcher(text)
                                .results()
                                .filter(match -> !match.group().equals("# /// script"))
                                .findFirst()
                                .ifPresent(match -> warnings.add("line " + lineOf(text, match.start())
                                        + " opens a metadata block only if written exactly '# /// script': it is"
                                        + " ignored")));
    }

    private static int lineOf(String text, int offset) {
        return 1 + (int) text.chars().limit(offset).filter(c -> c == '\n').count();
    }

    private static void checkCharacters(String source) throws InvalidScriptException {
        for (int i = 0; i < source.length(); i++) {
            char c = source.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < source.length()
                    && Character.isLowSurrogate(source.charAt(i + 1));
            if (pair) {
                i++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                String what = c == 0
                        ? "a NUL character, which Python does not read"
                        : "half a surrogate pair (" + ShortText.escape(c) + "), which is no character";
                throw new InvalidScriptException("the script holds " + what + ": remove it").at(placeOf(source, i));
            }
        }
    }

    private static String placeOf(String source, int offset) {
        String before = withLineFeeds(source.substring(0, offset));
        int start = before.lastIndexOf('\n') + 1;
        return MetadataReader.place(lineOf(before, before.length()), before.codePointCount(start, before.length()) + 1);
    }

    /** Replaces line ends by line feeds, as Python does when it reads text. */
    private static String withLineFeeds(String text) {
        return text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
    }
}
