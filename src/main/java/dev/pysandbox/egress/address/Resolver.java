package dev.pysandbox.egress.address;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves names and knows the addresses of this machine. */
@FunctionalInterface
public interface Resolver {
    /** The resolver of the host. */
    Resolver SYSTEM = name -> List.of(InetAddress.getAllByName(name));

    List<InetAddress> resolve(String name) throws UnknownHostException;

    /** Whether an address belongs to this machine; even a public one would bypass its firewall. */
    default boolean isOwn(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }
}
