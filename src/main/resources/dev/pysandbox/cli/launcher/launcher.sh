#!/bin/sh
# Starts python-sandbox. Written by its command install, deleted by its command uninstall.
java=@JAVA@
jar=@JAR@
if [ ! -f "$jar" ]; then
    echo "python-sandbox: $jar is missing; run: java -jar NEW_PLACE/sandbox.jar install" >&2
    exit 127
fi
if [ -x "$java" ]; then
    # An archive that is missing, or was written for another JAR or Java, is ignored.
    exec "$java" @FLAGS@ \
    -jar "$jar" "$@"
fi
# This Java was removed: use another one, whose archive would be a different one.
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -jar "$jar" "$@"
