/** How this JAR is started quickly: the flags of the JVM, the archive of its classes, and the launcher script. */
package dev.pysandbox.cli.launcher;
