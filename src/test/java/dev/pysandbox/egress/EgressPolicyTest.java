package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.egress.address.Target;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EgressPolicyTest {
    @ParameterizedTest
    @CsvSource({
        "example.org, example.org:443, true",
        "example.org, example.org:80, true",
        "Example.ORG., example.org:80, true",
        "example.org, www.example.org:443, false",
        "example.org, example.org.evil.com:443, false",
        "example.org, notexample.org:443, false",
        "example.org:443, example.org:443, true",
        "example.org:443, example.org:80, false",
        "*.example.org, www.example.org:443, true",
        "*.example.org, a.b.example.org:443, true",
        "*.example.org, example.org:443, false",
        "*.example.org, notexample.org:443, false",
        "*.example.org:443, www.example.org:80, false",
        "*.example.org:443, www.example.org:443, true",
        "bücher.example, xn--bcher-kva.example:443, true",
        "*, anything.example:1, true",
        "*, [2606:4700::1]:1, true",
        "*:443, anything.example:443, true",
        "*:443, anything.example:80, false",
        "1.1.1.1, 1.1.1.1:443, true",
        "1.1.1.1, [::ffff:1.1.1.1]:443, true",
        "*.1.example, 1.1.1.1:443, false",
        "[2606:4700:0::1]:443, [2606:4700::1]:443, true",
    })
    void matchesHosts(String pattern, String target, boolean allowed) {
        assertEquals(allowed, EgressPolicy.only(List.of(pattern)).allows(Target.parse(target)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "https://example.org",
                "example.org/path",
                "example.org:0",
                "example.org:70000",
                "example.org:https",
                "*example.org",
                "www.*.org",
                "*.",
                "*.*",
                "**",
                "*.10.0.0.1",
                "127.1",
                "::1",
                "user@example.org",
            })
    void refusesPatternsOfAnotherForm(String pattern) {
        String message = assertThrows(IllegalArgumentException.class, () -> EgressPolicy.only(List.of(pattern)))
                .getMessage();
        assertTrue(message.contains("got '" + pattern + "'"), message);
    }

    @Test
    void allowsNothingByAnEmptyList() {
        assertFalse(EgressPolicy.only(List.of()).allows(Target.parse("example.org:443")));
    }

    @Test
    void allowsAnyHostOfThePublicInternetButTrustsNone() {
        Target target = Target.parse("example.org:443");
        assertTrue(EgressPolicy.publicInternet().allows(target));
        assertFalse(EgressPolicy.publicInternet().trusts(target));
    }

    @Test
    void trustsHostsByTheirExactName() {
        EgressPolicy policy = EgressPolicy.only(List.of()).trusting(List.of("index.corp:8080", "10.0.0.1"));
        assertTrue(policy.trusts(Target.parse("INDEX.corp:8080")));
        assertFalse(policy.trusts(Target.parse("index.corp:8081")));
        assertTrue(policy.trusts(Target.parse("10.0.0.1:1")));
        assertFalse(policy.trusts(Target.parse("a.index.corp:8080")));
        for (String wildcard : List.of("*", "*.corp", "*:443")) {
            assertThrows(IllegalArgumentException.class, () -> policy.trusting(List.of(wildcard)));
        }
    }

    @Test
    void isEqualForTheSameHostsWrittenDifferently() {
        assertEquals(
                EgressPolicy.only(List.of("example.org")), EgressPolicy.only(List.of("EXAMPLE.org.", "example.org")));
    }
}
