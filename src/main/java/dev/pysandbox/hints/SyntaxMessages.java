package dev.pysandbox.hints;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Recognises messages of Python's compiler, so that a hint repeats only those and no other output of a script. */
final class SyntaxMessages {
    private static final int LONGEST = 160;

    /** Quoted parts are short and occur in the script. */
    private static final Pattern QUOTED = Pattern.compile("'([^']{1,40})'");

    private static final Pattern NO_WORD = Pattern.compile("[^a-z-]++");

    /** The words of CPython's syntax errors. */
    private static final Set<String> WORDS = Set.of(
            ("a after all allowed an and any are argument arguments as assign assigned assignment at attribute bare be"
                            + " beginning between binary binding block break bytes call can cannot character characters class"
                            + " clause closed closing comma comparison comprehension conditional contain continuation continue"
                            + " could day decimal declaration default definition del delete deleted detected dict dictionary"
                            + " different digit display does doesn't double duplicate elif ellipsis else empty encoding end"
                            + " eof escape except expected expecting expression expressions f-string false feature file finally"
                            + " float follow follows for forgot form found from function future generator generic global"
                            + " handler here hexadecimal if illegal imaginary import imports in inconsistent indent indentation"
                            + " indented input instead integer integers invalid is it item iterable keyword lambda leading"
                            + " level line list literal literals loop match matching maybe meant method missing mixed more"
                            + " multiple must name named names nested never no non-ascii non-default non-printable none"
                            + " nonlocal nor not number occur octal of on only opening operator or outer outside parameter"
                            + " parameters parentheses parenthesis parenthesized parsing pattern perhaps permitted positional"
                            + " precede prefix prior properly raw repeated return scope separated sequence set single spaces"
                            + " specified star starred statement statements statically string subject subscript syntax t-string tabs"
                            + " target targets than the this to token too trailing triple-quoted true try tuple type"
                            + " unexpected unicode unindent unmatched unpack unpacked unpacking unparenthesized unterminated"
                            + " use used valid value values variable was while with without yield you zero zeros")
                    .split(" ", -1));

    private SyntaxMessages() {}

    /** Whether the text is a message of the compiler about the script. */
    static boolean isOne(String message, ScriptText script) {
        return message.length() <= LONGEST
                && message.chars().allMatch(c -> c >= ' ' && c < 0x7f)
                && QUOTED.matcher(message).results().allMatch(quoted -> isKnown(quoted.group(1), script))
                && NO_WORD.splitAsStream(QUOTED.matcher(message).replaceAll(" ").toLowerCase(Locale.ROOT))
                        .allMatch(word -> word.length() < 2 || WORDS.contains(word));
    }

    private static boolean isKnown(String quoted, ScriptText script) {
        return script.has(quoted) || WORDS.contains(quoted) || quoted.chars().noneMatch(Character::isLetterOrDigit);
    }
}
