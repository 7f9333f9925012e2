package dev.pysandbox.execution;

import dev.pysandbox.api.InputFile;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.supervisor.Task;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the input files and the variable names of a request. */
final class Inputs {
    private static final int MOST_FILES = 100;
    private static final long MOST_BYTES = 64L << 20;
    private static final int LONGEST_NAME = 255;
    private static final int LONGEST_PATH = 1000;
    private static final int MOST_VARIABLES = 64;
    private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:");
    private static final Pattern UNFIT = Pattern.compile("[\\x00-\\x1f\\x7f\\\\]");
    private static final Pattern IDENTIFIER =
            Pattern.compile("[\\p{L}\\p{Nl}_][\\p{L}\\p{Nl}\\p{Mn}\\p{Mc}\\p{Nd}\\p{Pc}]*+");

    private Inputs() {}

    static List<Task.TaskFile> files(List<InputFile> files) throws InvalidScriptException {
        long total = files.stream().mapToLong(file -> file.content().length).sum();
        if (files.size() > MOST_FILES || total > MOST_BYTES) {
            throw new InvalidScriptException("files: at most " + MOST_FILES + " files and " + (MOST_BYTES >> 20)
                    + " MiB in all can be passed; mount a folder with --mount for more");
        }
        List<Task.TaskFile> checked = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (InputFile file : files) {
            String reason = unfit(file.name());
            if (!reason.isEmpty() || !names.add(file.name())) {
                throw new InvalidScriptException(
                        "files: the name " + InvalidScriptException.quote(file.name()) + " can't be used ("
                                + (reason.isEmpty() ? "it is used twice" : reason)
                                + "); use a relative path such as data/in.csv");
            }
            checked.add(new Task.TaskFile(file.name(), file.content()));
        }
        return checked;
    }

    static List<String> variables(List<String> names) throws InvalidScriptException {
        if (names.size() > MOST_VARIABLES) {
            throw new InvalidScriptException(
                    "variables: at most " + MOST_VARIABLES + " can be requested, got " + names.size());
        }
        for (String name : names) {
            if (name.length() > LONGEST_NAME || !IDENTIFIER.matcher(name).matches()) {
                throw new InvalidScriptException(
                        "variables: " + InvalidScriptException.quote(name) + " is not the name of a Python variable");
            }
        }
        return names.stream().distinct().toList();
    }

    private static String unfit(String name) {
        if (name.isBlank()) {
            return "it is empty";
        }
        if (name.length() > LONGEST_PATH) {
            return "it is longer than " + LONGEST_PATH + " characters";
        }
        if (name.startsWith("/") || DRIVE.matcher(name).lookingAt()) {
            return "it is absolute";
        }
        if (name.equals("script.py")) {
            return "the script has this name";
        }
        if (UNFIT.matcher(name).find()) {
            return "it has a control character or a backslash";
        }
        for (String part : name.split("/", -1)) {
            if (part.equals("..") || part.equals(".") || part.isEmpty()) {
                return "it has an empty part, '.' or '..'";
            }
            if (part.length() > LONGEST_NAME / 3) {
                return "a part of it is longer than " + LONGEST_NAME / 3 + " characters";
            }
        }
        return "";
    }
}
