package dev.pysandbox.script;

import dev.pysandbox.support.ShortText;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refuses dependencies other than packages of the index and https URLs: options, paths, repositories. */
final class ForbiddenSource {
    private static final Pattern LOCAL_PATH =
            Pattern.compile("(?is)[./~\\\\].*|[a-z]:[\\\\/].*|file:.*|[a-z0-9._-]+[/\\\\].*");
    private static final Pattern ARCHIVE = Pattern.compile("(?i).*\\.(whl|zip|tgz|tar\\.(gz|bz2|xz))");
    private static final Pattern SCHEME = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]*):.*");
    private static final Pattern REPOSITORY = Pattern.compile("(git|hg|svn|bzr)([+].*)?");
    private static final Pattern URL = Pattern.compile("(?is)https://(?<authority>[^/?#]*)(?<rest>[/?#].*)?");
    private static final Pattern NOT_IN_A_URL =
            Pattern.compile("[^A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]|%(?![0-9A-Fa-f]{2})");

    private ForbiddenSource() {}

    /** Checks a requirement before it is parsed. */
    static void check(String requirement) throws InvalidScriptException {
        for (int i = 0; i < requirement.length(); i++) {
            char c = requirement.charAt(i);
            if (Character.isISOControl(c) && c != '\t') {
                throw new InvalidScriptException("holds the control character " + ShortText.escape(c)
                        + ": write each dependency as a separate string, on one line");
            }
        }
        String text = requirement.strip();
        if (text.isEmpty()) {
            throw new InvalidScriptException("is empty: name a package or remove it");
        }
        if (text.startsWith("-")) {
            throw new InvalidScriptException("starts with '-', but options are not supported: name a package");
        }
        if (LOCAL_PATH.matcher(text).matches()) {
            throw localPath();
        }
        if (SCHEME.matcher(text).matches()) {
            checkUrl(text);
            throw new InvalidScriptException("a URL needs the package's name in front: 'name @ " + text + "'");
        }
    }

    static void checkName(String name) throws InvalidScriptException {
        if (ARCHIVE.matcher(name).matches()) {
            throw localPath();
        }
    }

    /** Checks the URL of a direct reference. */
    static void checkUrl(String url) throws InvalidScriptException {
        if (url.contains("${")) {
            throw new InvalidScriptException("'${…}' in a URL is not replaced here: write the URL out");
        }
        Matcher scheme = SCHEME.matcher(url);
        if (url.isEmpty() || LOCAL_PATH.matcher(url).matches() || !scheme.matches()) {
            throw url.isEmpty() ? new InvalidScriptException("expected a URL after '@'") : localPath();
        }
        String name = scheme.group(1).toLowerCase(Locale.ROOT);
        if (REPOSITORY.matcher(name).matches()) {
            throw new InvalidScriptException(
                    "'" + name + "' repositories are not fetched here: name a release on the package index");
        }
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new InvalidScriptException("only https URLs are supported, not '" + name + ":'");
        }
        String authority = parts.group("authority");
        if (authority.contains("@")) {
            throw new InvalidScriptException("a URL must not hold a user name or password: remove what is before '@'");
        }
        if (authority.isEmpty()
                || authority.startsWith(":")
                || NOT_IN_A_URL.matcher(url).find()) {
            throw new InvalidScriptException(InvalidScriptException.quote(url)
                    + " is not a URL: it needs a host, and other characters written as %XX");
        }
    }

    private static InvalidScriptException localPath() {
        return new InvalidScriptException(
                "points to a local path, which the sandbox can't see: name a package or an https URL");
    }
}
