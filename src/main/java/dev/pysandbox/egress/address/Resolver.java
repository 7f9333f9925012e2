package dev.pysandbox.egress.address;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;

/** What the proxy asks the host about names and addresses. */
@FunctionalInterface
public interface Resolver {
    /** The host's own resolver. */
    Resolver SYSTEM = name -> List.of(InetAddress.getAllByName(name));

    List<InetAddress> resolve(String name) throws UnknownHostException;

    /** Whether this is an address of the machine itself: even a public one leads behind its firewall. */
    default boolean isOwn(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }
}
