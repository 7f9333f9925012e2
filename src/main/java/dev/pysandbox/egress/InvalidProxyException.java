package dev.pysandbox.egress;

import java.io.IOException;

/** A proxy variable of the host has a value that can't be used; the message names the variable and the valid forms. */
public final class InvalidProxyException extends IOException {
    private static final long serialVersionUID = 1;

    InvalidProxyException(String message) {
        super(message);
    }
}
