package dev.pysandbox.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Arguments that certainly start a server or run a script, and that need no picocli: it takes longer to load than some
 * clients wait for the first response, and longer than a small script takes.
 *
 * <p>It runs before the first response, so it uses no regular expression, stream or lambda: their first use is slow.
 *
 * @param script the argument of {@code run}; empty if the arguments start a server
 * @param options the values of options by name
 */
record FastPathArguments(Optional<String> script, Map<String, String> options) {
    /** Returns empty in case of doubt; then picocli decides. */
    static Optional<FastPathArguments> of(String[] args, Set<String> variables) {
        for (String name : variables) {
            if (name.startsWith(Commands.VARIABLE_PREFIX)) {
                return Optional.empty();
            }
        }
        Map<String, String> options = new LinkedHashMap<>();
        Optional<String> script = Optional.empty();
        boolean runs = false;
        for (int i = 0; i < args.length; i++) {
            String option = args[i];
            int equals = option.indexOf('=');
            if (option.equals("--no-warm-cache") || option.equals("--require-sandbox")) {
                options.put(option, "true");
            } else if (!runs && option.equals("run")) {
                runs = true;
            } else if (runs && script.isEmpty() && isScript(option)) {
                script = Optional.of(option);
            } else {
                if (equals < 0 && ++i == args.length) {
                    return Optional.empty();
                }
                String name = equals < 0 ? option : option.substring(0, equals);
                String value = equals < 0 ? args[i] : option.substring(equals + 1);
                if (!fits(name, value)) {
                    return Optional.empty();
                }
                options.put(name, value);
            }
        }
        return runs == script.isPresent() ? Optional.of(new FastPathArguments(script, options)) : Optional.empty();
    }

    /** Returns false for what could be an option, stdin or a file with arguments. */
    private static boolean isScript(String text) {
        return !text.isEmpty() && text.charAt(0) != '-' && text.charAt(0) != '@';
    }

    private static boolean fits(String option, String value) {
        return switch (option) {
            case "--sandbox-backend" -> value.equals("native") || value.equals("docker") || value.equals("none");
            case "--network" -> value.equals("none") || value.equals("internet") || value.equals("host");
            case "--warm-pool" -> isNumber(value);
            case "--max-concurrent" -> isNumber(value) && value.charAt(0) != '0';
            case "--python-version" -> value.startsWith("3.") && isNumber(value.substring(2));
            case "--log-level" -> value.equals("warn") || value.equals("info") || value.equals("debug");
            case "--cache-dir", "--uv-path" -> value.startsWith("/") && value.indexOf('\0') < 0 && !value.isBlank();
            default -> false;
        };
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.length() == 1 || text.length() == 2;
    }
}
