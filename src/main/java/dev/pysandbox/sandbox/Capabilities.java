package dev.pysandbox.sandbox;

/**
 * What a sandbox does beyond the contract of all.
 *
 * @param isolates whether it is a security boundary
 * @param limitsProcesses whether it limits the number of processes of a job itself; a limit for each user would also
 *     count those of other jobs
 * @param limitsMemory whether the kernel counts and limits the memory of a job as a whole
 * @param exposesFirstProcess whether what runs inside could reach the memory of the first process, unless that process
 *     protects itself, and the kernel may choose it when memory runs out
 * @param sharesHostFiles whether folders of this machine can be mounted
 */
public record Capabilities(
        boolean isolates,
        boolean limitsProcesses,
        boolean limitsMemory,
        boolean exposesFirstProcess,
        boolean sharesHostFiles) {}
