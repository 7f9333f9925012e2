package dev.pysandbox.egress;

import dev.pysandbox.egress.address.AddressRange;
import dev.pysandbox.egress.address.HostName;
import dev.pysandbox.egress.address.HostPattern;
import dev.pysandbox.egress.address.Target;
import java.util.List;

/** The rules of {@code NO_PROXY}: names with their subdomains, addresses, ranges of addresses, each also with a port. */
public final class ProxyExceptions {
    private ProxyExceptions() {}

    /** Returns whether one of the entries names the target. */
    public static boolean cover(List<String> entries, Target target) {
        return entries.stream().anyMatch(entry -> covers(entry, target));
    }

    /** An entry that can't be read covers nothing: these lists are written for many programs. */
    private static boolean covers(String entry, Target target) {
        try {
            if (entry.contains("/")) {
                AddressRange range = AddressRange.parse(entry);
                return target.host().address().filter(range::contains).isPresent();
            }
            String bare = entry.startsWith("*.") ? entry.substring(2) : entry.replaceFirst("^\\.", "");
            String host = bare.indexOf(':') == bare.lastIndexOf(':') || bare.startsWith("[") ? bare : "[" + bare + "]";
            HostPattern pattern = HostPattern.parse(host);
            boolean named = pattern.host().flatMap(HostName::address).isEmpty();
            return pattern.matches(target)
                    || (named
                            && !pattern.wildcard()
                            && HostPattern.parse("*." + host).matches(target));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
