package dev.pysandbox.api;

import static dev.pysandbox.settings.InvalidSettingException.expect;
import static dev.pysandbox.settings.InvalidSettingException.property;

import dev.pysandbox.egress.address.HostPattern;
import dev.pysandbox.settings.PropertyName;
import dev.pysandbox.settings.Settable;
import dev.pysandbox.settings.SettingGroup;
import java.util.List;

/** The settings of the network of scripts. */
public record NetworkSettings(@PropertyName("network") Network mode, List<String> allowHosts) implements SettingGroup {

    static NetworkSettings defaults() {
        return new NetworkSettings(Network.INTERNET, List.of());
    }

    public NetworkSettings {
        allowHosts = List.copyOf(allowHosts);
        allowHosts.forEach(NetworkSettings::check);
        expect(
                allowHosts.isEmpty() || mode == Network.INTERNET,
                "allowHosts",
                "requires ",
                property("network"),
                " internet, got ",
                mode.label());
    }

    private static void check(String host) {
        try {
            HostPattern.parse(host);
        } catch (IllegalArgumentException e) {
            expect(false, "allowHosts", String.valueOf(e.getMessage()));
        }
    }

    /** The methods of the builder for these settings. */
    public interface Setters extends Settable<PythonSandboxBuilder> {
        /** Sets what scripts can reach. */
        default PythonSandboxBuilder network(Network network) {
            return set("network", network);
        }

        /** Limits {@link Network#INTERNET} to these hosts, each a name or {@code *.domain}. */
        default PythonSandboxBuilder allowHosts(List<String> hosts) {
            return set("allowHosts", hosts);
        }
    }
}
