package dev.pysandbox.sandbox.seccomp;

import dev.pysandbox.sandbox.seccomp.SeccompException.Effect;
import dev.pysandbox.support.BundledFile;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The system calls that are allowed, read from policy.txt, which documents its format.
 *
 * @param absent calls that fail with ENOSYS
 * @param rules calls that are allowed if all rules hold, by name
 * @param exceptions by name; if the conditions of none hold, the rules decide, and a call without rules is allowed
 */
public record SeccompPolicy(
        List<String> allowed,
        List<String> absent,
        Map<String, List<SeccompRule>> rules,
        Map<String, List<SeccompException>> exceptions) {
    static final Map<String, Integer> ERRNO = Map.of(
            "EPERM",
            1,
            "EINVAL",
            22,
            "ENOTTY",
            25,
            "ENOSYS",
            38,
            "ENOPROTOOPT",
            92,
            "EPROTONOSUPPORT",
            93,
            "EOPNOTSUPP",
            95,
            "EAFNOSUPPORT",
            97);

    public static SeccompPolicy load() throws IOException {
        List<String> allowed = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        Map<String, List<SeccompRule>> rules = new LinkedHashMap<>();
        Map<String, List<SeccompException>> exceptions = new LinkedHashMap<>();
        for (String line : text("policy.txt").split("\n", -1)) {
            List<String> words = List.of(line.strip().split(" +", -1));
            switch (words.get(0)) {
                case "allow" -> allowed.addAll(words.subList(1, words.size()));
                case "absent" -> absent.addAll(words.subList(1, words.size()));
                case "only" ->
                    rules.computeIfAbsent(words.get(1), any -> new ArrayList<>())
                            .add(rule(words.get(1), words.subList(2, words.size())));
                case "also", "ignore", "refuse" ->
                    exceptions
                            .computeIfAbsent(words.get(1), any -> new ArrayList<>())
                            .add(exception(words));
                default -> {
                    if (!line.isBlank() && !line.startsWith("#")) {
                        throw new IOException("policy.txt has a line of an unknown kind: " + line);
                    }
                }
            }
        }
        return new SeccompPolicy(allowed, absent, rules, exceptions);
    }

    /** Reads the numbers of an architecture's system calls. */
    static Map<String, Integer> numbers(String architecture) throws IOException {
        Properties table = new Properties();
        table.load(new StringReader(text(architecture + ".properties")));
        Map<String, Integer> numbers = new TreeMap<>();
        table.stringPropertyNames().forEach(name -> numbers.put(name, Integer.valueOf(table.getProperty(name))));
        return numbers;
    }

    /** Reads {@code also|ignore NAME CONDITION and CONDITION...}, or {@code refuse} with an error at the end. */
    private static SeccompException exception(List<String> words) {
        List<SeccompRule> conditions = Arrays.stream(
                        String.join(" ", words.subList(2, words.size())).split(" and ", -1))
                .map(condition -> rule(words.get(1), List.of(condition.split(" ", -1))))
                .toList();
        Effect effect = switch (words.get(0)) {
            case "also" -> Effect.ALLOW;
            case "ignore" -> Effect.IGNORE;
            default -> Effect.REFUSE;
        };
        return new SeccompException(
                conditions, effect, conditions.get(conditions.size() - 1).errno());
    }

    /** Reads {@code arg INDEX mask MASK in VALUE...} and an optional {@code else ERRNO}. */
    private static SeccompRule rule(String name, List<String> words) {
        int end = words.contains("else") ? words.indexOf("else") : words.size();
        int errno = end == words.size() ? 0 : ERRNO.getOrDefault(words.get(end + 1), 1);
        List<Long> values = words.subList(5, end).stream().map(Long::decode).toList();
        return new SeccompRule(name, Integer.parseInt(words.get(1)), Long.decode(words.get(3)), values, errno);
    }

    private static String text(String name) throws IOException {
        return BundledFile.text(SeccompPolicy.class, name);
    }
}
