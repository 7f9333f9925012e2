/** The backend {@code native}: bubblewrap on Linux. */
package dev.pysandbox.sandbox.bubblewrap;
