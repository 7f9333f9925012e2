package dev.pysandbox.cli.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Translates hints, which name the arguments of the tool, into options of the command {@code run}. */
public final class HintWords {
    private static final Pattern DEPENDENCIES = Pattern.compile("call again with dependencies=(\\[]|\\[\"[^\\n]*?\"])");
    private static final Pattern TIMEOUT = Pattern.compile("call again with timeout_seconds=(\\d{1,9})");
    private static final Pattern FILES = Pattern.compile("Pass its content as files=\\{.*");
    private static final Pattern PASSED = Pattern.compile("A script opens what is passed in files=\\{.*");
    private static final Pattern MODULE = Pattern.compile("Pass a module of your own as files=\\{.*");
    private static final String SECONDS = "run again with -t $1";
    private static final String MOUNT = "Use --mount FOLDER: scripts see it as /data/NAME";
    private static final String MODULES = "For a module of your own use --mount FOLDER and add /data/NAME to sys.path";
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_.,:/@%+=-]++");

    private HintWords() {}

    public static String of(String hint) {
        String text = DEPENDENCIES.matcher(hint).replaceAll(HintWords::dependencies);
        text = TIMEOUT.matcher(text).replaceAll(SECONDS);
        text = FILES.matcher(text).replaceAll(MOUNT);
        text = PASSED.matcher(text).replaceAll(MOUNT);
        text = MODULE.matcher(text).replaceAll(MODULES);
        return text.replace(", set where the server is started, would allow it", " would allow it")
                .replace("; the server was started with --network none", " because of --network none")
                .replace("ask for a server that is started with the variable", "set the variable")
                .replace("ask for a server that is started with", "use")
                .replace("unless this one is started with --network host", "except with --network host");
    }

    private static String dependencies(MatchResult call) {
        try {
            String[] names = new ObjectMapper().readValue(call.group(1), String[].class);
            return Arrays.stream(names)
                    .map(name -> " -d " + quoted(name))
                    .collect(Collectors.joining("", "run again " + (names.length == 0 ? "without -d" : "with"), ""))
                    .replace("\\", "\\\\")
                    .replace("$", "\\$");
        } catch (JsonProcessingException e) {
            return "run again with other dependencies";
        }
    }

    /** Quotes a word for a shell. */
    private static String quoted(String word) {
        return PLAIN_WORD.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
