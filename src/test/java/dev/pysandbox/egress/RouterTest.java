package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.egress.address.HostName;
import dev.pysandbox.egress.address.Resolver;
import dev.pysandbox.egress.address.Target;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RouterTest {
    private static final Map<String, String> NAMES = Map.of(
            "public.example", "93.184.215.14 2606:2800::1",
            "private.example", "10.1.2.3",
            "mixed.example", "93.184.215.14 127.0.0.1",
            "self.example", "198.41.0.4",
            "proxy.corp", "10.9.9.9");
    private static final UpstreamProxy UPSTREAM =
            new UpstreamProxy("proxy.corp", 3128, Optional.empty(), List.of("public.example"));

    private final List<String> lookups = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    @Test
    void returnsAllAddressesOfAPublicHost() throws ProxyProblem {
        Router.Route route = route(EgressPolicy.publicInternet(), "public.example:443");
        assertEquals(addresses("93.184.215.14 2606:2800::1"), route.addresses());
        assertEquals(443, route.port());
        assertEquals(List.of(), refused);
    }

    @ParameterizedTest
    @CsvSource({
        "private.example:443, private address",
        "mixed.example:443, loopback address",
        "self.example:443, address of this machine",
        "127.0.0.1:8022, loopback address",
        "[::1]:8022, loopback address",
        "[::ffff:10.0.0.1]:8022, private address",
        "169.254.169.254:80, cloud metadata address",
    })
    void refusesWhatIsNotPublic(String target, String reason) {
        ProxyProblem problem = problem(EgressPolicy.publicInternet(), target);
        String canonical = Target.parse(target).toString();
        assertEquals(ProxyProblem.Status.FORBIDDEN, problem.status());
        assertEquals(
                "python-sandbox refused " + canonical + ": " + reason + "; only public addresses can be reached, unless"
                        + " the server is started with --network host",
                problem.getMessage());
        assertEquals(List.of(canonical + " (" + reason + ")"), refused);
    }

    @Test
    void refusesHostsThatAreNotAllowedWithoutLookingThemUp() {
        ProxyProblem problem = problem(EgressPolicy.only(List.of("a.org", "*.b.org")), "public.example:443");
        assertEquals(
                "python-sandbox refused public.example:443: not an allowed host; reachable here: a.org, *.b.org",
                problem.getMessage());
        assertEquals(List.of(), lookups);
        assertEquals(List.of("public.example:443 (not an allowed host)"), refused);
    }

    @Test
    void namesOnlySomeOfManyAllowedHosts() {
        List<String> hosts =
                Stream.of(1, 2, 3, 4, 5, 6, 7).map(i -> "h" + i + ".org").toList();
        String message = problem(EgressPolicy.only(hosts), "public.example:443").getMessage();
        assertTrue(message.endsWith("h4.org, h5.org and 2 more"), message);
        assertTrue(problem(EgressPolicy.only(List.of()), "public.example:443")
                .getMessage()
                .endsWith("no host at all"));
    }

    @Test
    void refusesPrivateAddressesOfAllowedHostsButNotOfTrustedOnes() throws ProxyProblem {
        EgressPolicy policy = EgressPolicy.only(List.of("private.example"));
        assertEquals(
                ProxyProblem.Status.FORBIDDEN,
                problem(policy, "private.example:443").status());
        EgressPolicy trusting = EgressPolicy.only(List.of()).trusting(List.of("private.example:443"));
        assertEquals(
                addresses("10.1.2.3"), route(trusting, "private.example:443").addresses());
        assertEquals(
                ProxyProblem.Status.FORBIDDEN,
                problem(trusting, "private.example:80").status());
    }

    @Test
    void reportsAnUnknownName() {
        ProxyProblem problem = problem(EgressPolicy.publicInternet(), "nowhere.example:443");
        assertEquals(ProxyProblem.Status.BAD_GATEWAY, problem.status());
        assertTrue(problem.getMessage().contains("found no address of nowhere.example"), problem.getMessage());
        assertEquals(List.of(), refused);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere.example", "*.example", "*", "nowhere.example:443"})
    void leavesUnknownNamesThatTheOperatorNamedToTheUpstream(String pattern) throws ProxyProblem {
        EgressPolicy policy = EgressPolicy.only(List.of(pattern)).through(UPSTREAM);
        Router.Route route = route(policy, "nowhere.example:443");
        assertEquals(Optional.of(UPSTREAM), route.upstream());
        assertEquals(addresses("10.9.9.9"), route.addresses());
        assertEquals(3128, route.port());
    }

    @Test
    void leavesUnknownTrustedNamesToTheUpstream() throws ProxyProblem {
        EgressPolicy policy = EgressPolicy.publicInternet()
                .trusting(List.of("nowhere.example:443"))
                .through(UPSTREAM);
        assertEquals(Optional.of(UPSTREAM), route(policy, "nowhere.example:443").upstream());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere.example", "intranet.corp", "127.0.0.1.nip.example", "wiki"})
    void refusesOtherUnknownNamesWithAnUpstream(String name) {
        ProxyProblem problem = problem(EgressPolicy.publicInternet().through(UPSTREAM), name + ":443");
        assertEquals(ProxyProblem.Status.FORBIDDEN, problem.status());
        assertTrue(problem.getMessage().contains("--allow-host"), problem.getMessage());
        assertEquals(List.of(name + ":443 (not resolved on this machine)"), refused);
    }

    @ParameterizedTest
    @CsvSource({
        "*, public.example:22, false",
        "*, public.example:25, false",
        "*, public.example:1, false",
        "*, public.example:1023, false",
        "*, public.example:80, true",
        "*, public.example:443, true",
        "*, public.example:1024, true",
        "*, public.example:8443, true",
        "public.example, public.example:22, false",
        "public.example:22, public.example:22, true",
        "*:22, public.example:22, true",
        "public.example:22, public.example:23, false",
    })
    void closesPortsOfOtherServices(String pattern, String target, boolean open) throws ProxyProblem {
        EgressPolicy policy = EgressPolicy.only(List.of(pattern));
        if (open) {
            assertEquals(Target.parse(target).port(), route(policy, target).port());
        } else {
            assertEquals(ProxyProblem.Status.FORBIDDEN, problem(policy, target).status());
            assertEquals(List.of(), lookups);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "private.example:443",
                "mixed.example:443",
                "10.0.0.1:443",
                "[fd00::1]:443",
                "intranet:80",
                "localhost:80",
                "a.localhost:80",
                "metadata.google.internal:80",
                "printer.local:80",
            })
    void refusesInternalTargetsWithAnUpstreamToo(String target) {
        EgressPolicy policy = EgressPolicy.publicInternet().through(UPSTREAM);
        assertEquals(ProxyProblem.Status.FORBIDDEN, problem(policy, target).status());
    }

    @Test
    void connectsDirectlyToHostsInNoProxy() throws ProxyProblem {
        EgressPolicy policy = EgressPolicy.publicInternet().through(UPSTREAM);
        assertFalse(route(policy, "public.example:443").upstream().isPresent());
        assertTrue(route(policy, "93.184.215.14:443").upstream().isPresent());
    }

    private ProxyProblem problem(EgressPolicy policy, String target) {
        return assertThrows(ProxyProblem.class, () -> route(policy, target));
    }

    private Router.Route route(EgressPolicy policy, String target) throws ProxyProblem {
        Resolver resolver = new Resolver() {
            @Override
            public List<InetAddress> resolve(String name) throws UnknownHostException {
                lookups.add(name);
                if (!NAMES.containsKey(name)) {
                    throw new UnknownHostException(name);
                }
                return addresses(NAMES.get(name));
            }

            @Override
            public boolean isOwn(InetAddress address) {
                return address.getHostAddress().equals("198.41.0.4");
            }
        };
        return new Router(policy, resolver, refused::add).route(Target.parse(target));
    }

    private static List<InetAddress> addresses(String list) {
        return Stream.of(list.split(" "))
                .map(text -> HostName.parse(text.contains(":") ? "[" + text + "]" : text))
                .map(host -> host.address().orElseThrow())
                .toList();
    }
}
