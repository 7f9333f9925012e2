package dev.pysandbox.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Prints the version of the JAR. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("dev");
        return new String[] {"python-sandbox " + version};
    }
}
