package dev.pysandbox.egress;

import dev.pysandbox.egress.address.Target;
import dev.pysandbox.egress.http.MessageBody;
import dev.pysandbox.egress.http.MessageHead;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A request to the proxy: CONNECT, or any other method on an absolute http:// URI. */
record ProxyRequest(String method, Target target, String path, String version, MessageHead head, MessageBody body) {
    private static final Pattern LINE = Pattern.compile("(\\S+) (\\S+) (HTTP/1\\.[01])");
    private static final Pattern ABSOLUTE = Pattern.compile("(?i:http)://([^/?#]+)([/?][^#]*)?");
    private static final int HTTP_PORT = 80;

    static ProxyRequest parse(MessageHead head) throws ProtocolException {
        Matcher line = LINE.matcher(head.startLine());
        if (!line.matches() || !MessageHead.isToken(line.group(1))) {
            throw new ProtocolException("the first line is not an HTTP/1.1 request");
        }
        if (head.values("host").size() > 1) {
            throw new ProtocolException("more than one Host");
        }
        String method = line.group(1);
        MessageBody body = MessageBody.of(head, MessageBody.NONE);
        if (body.kind() == MessageBody.Kind.CHUNKED && line.group(3).equals("HTTP/1.0")) {
            throw new ProtocolException("a Transfer-Encoding in HTTP/1.0");
        }
        if (method.equals("TRACE")) {
            throw new ProtocolException("TRACE would show the fields that proxies add");
        }
        try {
            return method.equals("CONNECT")
                    ? connect(line.group(2), line.group(3), head, body)
                    : absolute(method, line.group(2), line.group(3), head, body);
        } catch (IllegalArgumentException e) {
            ProtocolException problem = new ProtocolException(printable(String.valueOf(e.getMessage())));
            problem.initCause(e);
            throw problem;
        }
    }

    private static ProxyRequest connect(String authority, String version, MessageHead head, MessageBody body)
            throws ProtocolException {
        if (!body.equals(MessageBody.NONE)) {
            throw new ProtocolException("a CONNECT with content");
        }
        return new ProxyRequest("CONNECT", Target.parse(text(authority)), "", version, head, body);
    }

    private static ProxyRequest absolute(String method, String uri, String version, MessageHead head, MessageBody body)
            throws ProtocolException {
        Matcher matcher = ABSOLUTE.matcher(uri);
        if (!matcher.matches()) {
            throw new ProtocolException(
                    "this is a proxy: it takes CONNECT host:port, or a whole URI such as http://example.org/");
        }
        String path = matcher.group(2) == null ? "/" : matcher.group(2);
        Target target = Target.parse(text(matcher.group(1)), HTTP_PORT);
        return new ProxyRequest(method, target, path.startsWith("/") ? path : "/" + path, version, head, body);
    }

    /** Decodes UTF-8 in a line that was read byte by byte. */
    private static String text(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }

    boolean isConnect() {
        return method.equals("CONNECT");
    }

    /** Returns the head for the server itself. */
    String forOrigin() {
        return forwarded(path, "");
    }

    /** Returns the head for an upstream proxy. */
    String forUpstream(UpstreamProxy upstream) {
        return forwarded("http://" + hostField() + path, upstream.authorization());
    }

    private String forwarded(String uri, String authorization) {
        return method + " " + uri + " " + version + "\r\n"
                + "Host: " + hostField() + "\r\n"
                + head.endToEnd(Set.of("host"))
                + authorization
                + "Connection: close\r\n\r\n";
    }

    private String hostField() {
        return target.port() == HTTP_PORT ? target.host().text() : target.toString();
    }
}
