/** The Java API: runs scripts, checks scripts, tests what works on this machine. */
@NullMarked
package dev.pysandbox.api;

import org.jspecify.annotations.NullMarked;
