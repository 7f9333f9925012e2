/** The protocol between the server and the supervisor, the first process inside each sandbox. */
package dev.pysandbox.supervisor;
