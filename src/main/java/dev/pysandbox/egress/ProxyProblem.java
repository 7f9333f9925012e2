package dev.pysandbox.egress;

import java.io.IOException;

/** A request is refused; the message is sent to the client. */
final class ProxyProblem extends IOException {
    private static final long serialVersionUID = 1;

    private final Status status;

    ProxyProblem(Status status, String sentence) {
        super(sentence);
        this.status = status;
    }

    Status status() {
        return status;
    }

    /** The status codes of the proxy's own responses. */
    enum Status {
        BAD_REQUEST("400 Bad Request"),
        FORBIDDEN("403 Forbidden"),
        REQUEST_TIMEOUT("408 Request Timeout"),
        BAD_GATEWAY("502 Bad Gateway");

        private final String line;

        Status(String line) {
            this.line = line;
        }

        String line() {
            return line;
        }
    }
}
