package dev.pysandbox.egress;

import dev.pysandbox.egress.ProxyProblem.Status;
import dev.pysandbox.egress.http.HttpResponse;
import dev.pysandbox.egress.http.MessageBody;
import dev.pysandbox.egress.http.MessageHead;
import dev.pysandbox.egress.http.MessageSource;
import dev.pysandbox.support.Threads;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwards one plain HTTP request to a server, and its response to the client. */
final class HttpExchange {
    private static final Logger log = LoggerFactory.getLogger(HttpExchange.class);
    private static final int MAX_INTERIM = 16;

    private final ProxyRequest request;
    private final Router.Route route;
    private final SocketChannel server;
    private final ProxyLimits limits;
    private volatile Optional<String> uploadFault = Optional.empty();

    HttpExchange(ProxyRequest request, Router.Route route, SocketChannel server, ProxyLimits limits) {
        this.request = request;
        this.route = route;
        this.server = server;
        this.limits = limits;
    }

    /** Returns after the last byte of the response, or throws before its first byte. */
    void run(MessageSource fromClient, SocketChannel client) throws IOException {
        sendHead();
        if (!request.body().equals(MessageBody.NONE)) {
            Threads.startDaemon("egress-upload", () -> upload(fromClient));
        }
        MessageSource fromServer = new MessageSource(server);
        HttpResponse response = readResponse(fromServer);
        for (int interim = 0; response.isInterim(); interim++) {
            if (interim == MAX_INTERIM) {
                throw new ProxyProblem(Status.BAD_GATEWAY, request.target() + " sent only interim responses");
            }
            MessageSource.write(response.forClient(), client);
            response = readResponse(fromServer);
        }
        MessageSource.write(response.forClient(), client);
        try {
            response.body().copy(fromServer, client);
        } catch (IOException e) {
            log.debug("the response of {} was incomplete: {}", request.target(), e.toString());
        }
    }

    private MessageHead readHead(MessageSource fromServer) throws IOException {
        ReadDeadline deadline = ReadDeadline.start(server, limits.headTime());
        try {
            return MessageHead.read(fromServer, limits.headBytes());
        } finally {
            deadline.cancel();
        }
    }

    private void sendHead() throws ProxyProblem {
        try {
            MessageSource.write(route.upstream().map(request::forUpstream).orElseGet(request::forOrigin), server);
        } catch (IOException e) {
            throw new ProxyProblem(Status.BAD_GATEWAY, request.target() + " refused the request: " + e.getMessage());
        }
    }

    private void upload(MessageSource fromClient) {
        try {
            request.body().copy(fromClient, server);
        } catch (ProtocolException | EOFException e) {
            uploadFault = Optional.of(String.valueOf(e.getMessage()));
            ProxyConnection.close(server);
        } catch (IOException e) {
            // A server may respond early and close the connection; its response is still forwarded.
            log.trace("an upload failed: {}", e.toString());
        }
    }

    /** Waits for the response as long as the sandbox lives; from its first byte on, the head must arrive in time. */
    private HttpResponse readResponse(MessageSource fromServer) throws ProxyProblem {
        try {
            fromServer.peek();
            return HttpResponse.parse(readHead(fromServer), request.method());
        } catch (IOException e) {
            throw uploadFault
                    .map(fault -> new ProxyProblem(Status.BAD_REQUEST, "the request's content is malformed: " + fault))
                    .orElseGet(() -> new ProxyProblem(
                            Status.BAD_GATEWAY, request.target() + " sent no valid response: " + e.getMessage()));
        }
    }
}
