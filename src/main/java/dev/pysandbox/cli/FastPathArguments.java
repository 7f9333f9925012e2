package dev.pysandbox.cli;

import java.util.Set;

/**
 * Recognizes arguments that certainly start a server, so that it can respond before picocli parses them.
 *
 * <p>It runs before the first response, so it uses no regular expression, stream or lambda: their first use is slow.
 */
final class FastPathArguments {
    private FastPathArguments() {}

    /** Returns false in case of doubt; then picocli decides. */
    static boolean isCertain(String[] args, Set<String> variables) {
        for (String name : variables) {
            if (name.startsWith(Commands.VARIABLE_PREFIX)) {
                return false;
            }
        }
        for (int i = 0; i < args.length; i++) {
            String option = args[i];
            int equals = option.indexOf('=');
            if (option.equals("--no-warm-cache") || option.equals("--require-sandbox")) {
                continue;
            }
            if (equals < 0 && ++i == args.length) {
                return false;
            }
            if (!(equals < 0
                    ? fits(option, args[i])
                    : fits(option.substring(0, equals), option.substring(equals + 1)))) {
                return false;
            }
        }
        return true;
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
