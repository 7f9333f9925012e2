/** The Java API: runs scripts, checks scripts, tests what works on this machine. */
package dev.pysandbox.api;
