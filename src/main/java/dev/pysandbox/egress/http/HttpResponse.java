package dev.pysandbox.egress.http;

import java.net.ProtocolException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The response of a server or an upstream proxy. */
public record HttpResponse(int status, MessageHead head, MessageBody body) {
    private static final Pattern LINE = Pattern.compile("HTTP/1\\.[01] ([1-5]\\d\\d)( .*)?");

    public static HttpResponse parse(MessageHead head, String method) throws ProtocolException {
        Matcher line = LINE.matcher(head.startLine());
        if (!line.matches()) {
            throw new ProtocolException("the first line is not an HTTP/1.1 answer");
        }
        int status = Integer.parseInt(line.group(1));
        boolean empty = method.equals("HEAD") || status < 200 || status == 204 || status == 304;
        MessageBody body = MessageBody.of(head, new MessageBody(MessageBody.Kind.UNTIL_CLOSE, 0));
        return new HttpResponse(status, head, empty ? MessageBody.NONE : body);
    }

    /** Whether another response follows this one. */
    public boolean isInterim() {
        return status < 200;
    }

    /** Returns the head for the client. */
    public String forClient() {
        return head.startLine() + "\r\n" + head.endToEnd(Set.of()) + (isInterim() ? "" : "Connection: close\r\n")
                + "\r\n";
    }
}
