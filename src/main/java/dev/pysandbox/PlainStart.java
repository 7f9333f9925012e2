package dev.pysandbox;

import java.util.Set;

/**
 * Says at a glance that the arguments start a server and can't be wrong, so that it may answer before they are parsed.
 *
 * <p>It runs before the first answer: no regular expression, stream or lambda, which all take long the first time.
 */
final class PlainStart {
    private PlainStart() {}

    /** False where there is any doubt; the parser then has the word. */
    static boolean isCertain(String[] args, Set<String> variables) {
        for (String name : variables) {
            if (name.startsWith(Commands.VARIABLE_PREFIX)) {
                return false;
            }
        }
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--no-warm-cache", "--require-sandbox" -> {}
                case "--cache-dir", "--uv-path", "--sandbox-backend", "--network", "--warm-pool", "--python-version" -> {
                    if (i + 1 == args.length || !fits(args[i], args[i + 1])) {
                        return false;
                    }
                    i++;
                }
                default -> {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean fits(String option, String value) {
        return switch (option) {
            case "--sandbox-backend" -> value.equals("native") || value.equals("docker") || value.equals("none");
            case "--network" -> value.equals("none") || value.equals("internet") || value.equals("host");
            case "--warm-pool" -> isNumber(value);
            case "--python-version" -> value.startsWith("3.") && isNumber(value.substring(2));
            default -> value.startsWith("/") && value.indexOf('\0') < 0 && !value.isBlank();
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
