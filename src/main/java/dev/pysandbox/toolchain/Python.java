package dev.pysandbox.toolchain;

import java.nio.file.Path;

/**
 * A Python interpreter of this host.
 *
 * @param version the full version, such as {@code 3.13.0}
 * @param executable its real path
 * @param home the folder of its standard library, {@code sys.base_prefix}
 * @param sharedLibrary whether it needs a libpython in its home
 */
public record Python(String version, Path executable, Path home, boolean sharedLibrary) {}
