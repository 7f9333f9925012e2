package dev.pysandbox.hints;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Network;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Hints for errors of connections.
 *
 * @param refused the targets that the proxy has refused
 */
record NetworkHints(Config config, ScriptText script, String stderr, List<String> refused) {
    private static final Pattern FAILED = Pattern.compile(
            "Temporary failure in name resolution|Name or service not known|Network is unreachable|ProxyError"
                    + "|Tunnel connection failed|ConnectionRefusedError|Connection refused");
    private static final Pattern REFUSED_LOCALLY = Pattern.compile("ConnectionRefusedError|Connection refused"
            + "|Connect call failed|ConnectError: All connection attempts failed");
    private static final Pattern LOCAL =
            Pattern.compile("\\blocalhost\\b|\\b127\\.0\\.\\d{1,3}\\.\\d{1,3}|\\b0\\.0\\.0\\.0\\b" + "|\\[::1]");
    private static final Pattern UNREACHABLE =
            Pattern.compile("Tunnel connection failed: 50[24]|Caused by ProxyError|ProxyError: 50[24]");
    private static final Pattern HOST = Pattern.compile("(?:host='|https?://)([A-Za-z0-9.-]{1,200}+)");

    /** Constructors of libraries that use the proxy only on request. */
    private static final Pattern AIOHTTP = Pattern.compile("(?:aiohttp\\.)?\\bClientSession\\((\\)?)");

    private static final Pattern URLLIB3 = Pattern.compile("urllib3\\.PoolManager\\(");
    private static final Pattern URLLIB3_REQUEST = Pattern.compile("urllib3\\.request\\(");
    private static final Pattern HTTP_CLIENT =
            Pattern.compile("(\\w{1,100}+) = http\\.client\\.HTTPSConnection\\((['\"][\\w.-]{1,200}+['\"])\\)");
    private static final int LONGEST_LINE = 100;
    private static final int MOST_HOSTS = 5;

    Optional<String> hint() {
        if (!refused.isEmpty()) {
            return Optional.of("the network policy refused " + refusedHosts()
                    + "; --network host or --allow-host, set where the server is started, would allow it");
        }
        if (REFUSED_LOCALLY.matcher(stderr).find()
                && LOCAL.matcher(script.text()).find()) {
            return Optional.of(
                    "localhost is the sandbox itself, and nothing listens there: start the server in the same"
                            + " script"
                            + (config.network().mode() == Network.HOST
                                    ? ""
                                    : "; servers of this machine can't be reached, unless this one is started with"
                                            + " --network host"));
        }
        if (!FAILED.matcher(stderr).find()) {
            return Optional.empty();
        }
        if (config.network().mode() == Network.NONE) {
            return Optional.of("the script has no network; the server was started with --network none");
        }
        return config.network().mode() == Network.HOST
                ? Optional.of("the host can't be reached or does not exist: check its name")
                : Optional.of(unreachable()
                        .or(this::withoutProxy)
                        .orElse("only HTTP and HTTPS through the proxy in HTTPS_PROXY reach the internet; plain"
                                + " sockets and name look-ups need --network host"));
    }

    /** The proxy was used, so the host or its name is the problem. */
    private Optional<String> unreachable() {
        return UNREACHABLE.matcher(stderr).find()
                ? Optional.of(HOST.matcher(stderr)
                                .results()
                                .map(match -> match.group(1))
                                .filter(script::has)
                                .reduce((first, second) -> second)
                                .or(() -> HOST.matcher(script.text())
                                        .results()
                                        .map(match -> match.group(1))
                                        .findFirst())
                                .orElse("the host")
                        + " can't be reached: the name does not exist, or nothing responds there; check the address")
                : Optional.empty();
    }

    private Optional<String> withoutProxy() {
        return edit(
                        AIOHTTP,
                        call -> "ClientSession(trust_env=True" + (call.group(1).isEmpty() ? ", " : ")"),
                        "")
                .or(() -> edit(URLLIB3, call -> "urllib3.ProxyManager(os.environ[\"HTTPS_PROXY\"], ", "import os"))
                .or(() -> edit(
                        URLLIB3_REQUEST,
                        call -> "urllib3.ProxyManager(os.environ[\"HTTPS_PROXY\"]).request(",
                        "import os"))
                .or(() -> edit(
                        HTTP_CLIENT,
                        call -> call.group(1) + " = http.client.HTTPSConnection(\"127.0.0.1\", 3128); " + call.group(1)
                                + ".set_tunnel(" + call.group(2) + ")",
                        ""))
                .map(edit -> "the internet is reached only through the proxy in HTTPS_PROXY, which this library uses on"
                        + " request: " + edit);
    }

    /** Proposes to replace the first call, unless it already uses the proxy. */
    private Optional<String> edit(Pattern pattern, Function<MatchResult, String> replacement, String first) {
        return script.lines()
                .flatMap(line -> pattern.matcher(line).results())
                .filter(call -> script.has(call.group()) && !script.has("trust_env"))
                .findFirst()
                .map(call -> ScriptEdit.replace(call.group(), replaced(call, replacement.apply(call)))
                        + (first.isEmpty() ? "" : " and " + ScriptEdit.putFirst(first)));
    }

    private static String replaced(MatchResult call, String replacement) {
        return call.group().startsWith("aiohttp.") ? "aiohttp." + replacement : replacement;
    }

    private String refusedHosts() {
        String hosts = refused.stream()
                .limit(MOST_HOSTS)
                .map(host -> host.substring(0, Math.min(LONGEST_LINE, host.length())))
                .collect(Collectors.joining(", "));
        return refused.size() > MOST_HOSTS ? hosts + " and " + (refused.size() - MOST_HOSTS) + " more" : hosts;
    }
}
