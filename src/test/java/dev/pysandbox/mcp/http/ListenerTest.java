package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class ListenerTest {
    @Test
    void theEndOfTheThreadThatAcceptsConnectionsIsNoticed() throws IOException, InterruptedException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Listener listener = Listener.start(http);
        assertFalse(listener.hasDied());
        http.stop(0);
        while (!listener.hasDied()) {
            Thread.sleep(10);
        }
    }
}
