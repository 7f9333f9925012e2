package dev.pysandbox.cli.help;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Prints the version of the JAR. */
public final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(VersionProvider.class.getPackage().getImplementationVersion())
                .orElse("dev");
        return new String[] {"python-sandbox " + version};
    }
}
