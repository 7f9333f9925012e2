package dev.pysandbox.egress;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;

/** What the proxy asks the host about names and addresses. */
@FunctionalInterface
interface EgressResolver {
    /** The host's own resolver. */
    EgressResolver SYSTEM = name -> List.of(InetAddress.getAllByName(name));

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
