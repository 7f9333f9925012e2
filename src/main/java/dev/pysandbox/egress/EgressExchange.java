package dev.pysandbox.egress;

import dev.pysandbox.egress.EgressProblem.Status;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One plain HTTP request that is passed on to a server, and its answer. */
final class EgressExchange {
    private static final Logger log = LoggerFactory.getLogger(EgressExchange.class);
    private static final int MOST_INTERIM = 16;

    private final EgressRequest request;
    private final EgressRouter.Route route;
    private final SocketChannel server;
    private final EgressLimits limits;
    private volatile Optional<String> uploadFault = Optional.empty();

    EgressExchange(EgressRequest request, EgressRouter.Route route, SocketChannel server, EgressLimits limits) {
        this.request = request;
        this.route = route;
        this.server = server;
        this.limits = limits;
    }

    /** Returns with the last byte of the answer, or throws before its first one. */
    void run(EgressSource fromClient, SocketChannel client) throws IOException {
        sendHead();
        if (!request.body().equals(EgressBody.NONE)) {
            EgressProxy.startThread("egress-upload", () -> upload(fromClient));
        }
        EgressSource fromServer = new EgressSource(server);
        EgressResponse response = readResponse(fromServer);
        for (int interim = 0; response.isInterim(); interim++) {
            if (interim == MOST_INTERIM) {
                throw new EgressProblem(Status.BAD_GATEWAY, request.target() + " gave only interim answers");
            }
            EgressSource.write(response.forClient(), client);
            response = readResponse(fromServer);
        }
        EgressSource.write(response.forClient(), client);
        try {
            response.body().copy(fromServer, client);
        } catch (IOException e) {
            log.debug("the answer of {} broke off: {}", request.target(), e.toString());
        }
    }

    private EgressHead readHead(EgressSource fromServer) throws IOException {
        EgressDeadline deadline = EgressDeadline.start(server, limits.headTime());
        try {
            return EgressHead.read(fromServer, limits.headBytes());
        } finally {
            deadline.cancel();
        }
    }

    private void sendHead() throws EgressProblem {
        try {
            EgressSource.write(route.upstream().map(request::forUpstream).orElseGet(request::forOrigin), server);
        } catch (IOException e) {
            throw new EgressProblem(Status.BAD_GATEWAY, request.target() + " took no request: " + e.getMessage());
        }
    }

    private void upload(EgressSource fromClient) {
        try {
            request.body().copy(fromClient, server);
        } catch (ProtocolException | EOFException e) {
            uploadFault = Optional.of(String.valueOf(e.getMessage()));
            EgressConnection.close(server);
        } catch (IOException e) {
            // A server may answer early and hang up: what it said is passed on all the same.
            log.trace("an upload broke: {}", e.toString());
        }
    }

    /** A server may think for as long as the sandbox lives; once it speaks, its header must come whole. */
    private EgressResponse readResponse(EgressSource fromServer) throws EgressProblem {
        try {
            fromServer.peek();
            return EgressResponse.parse(readHead(fromServer), request.method());
        } catch (IOException e) {
            throw uploadFault
                    .map(fault -> new EgressProblem(Status.BAD_REQUEST, "the request's content is broken: " + fault))
                    .orElseGet(() -> new EgressProblem(
                            Status.BAD_GATEWAY,
                            request.target() + " gave no answer that can be read: " + e.getMessage()));
        }
    }
}
