package dev.pysandbox.egress;

import java.io.IOException;

/** Why a request is not served, as the client is told. */
final class EgressProblem extends IOException {
    private static final long serialVersionUID = 1;

    private final Status status;

    EgressProblem(Status status, String sentence) {
        super(sentence);
        this.status = status;
    }

    Status status() {
        return status;
    }

    /** The answers that the proxy gives in its own name. */
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
