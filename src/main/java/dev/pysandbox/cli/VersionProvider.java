package dev.pysandbox.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version that the JAR was built as. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("dev");
        return new String[] {"python-sandbox " + version};
    }
}
