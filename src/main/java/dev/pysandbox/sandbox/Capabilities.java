package dev.pysandbox.sandbox;

/**
 * What a backend provides beyond the contract of {@link Sandbox}.
 *
 * @param isolates whether it is a security boundary
 * @param limitsProcesses whether it limits the number of processes of each job; if not, the supervisor of an isolating
 *     sandbox sets RLIMIT_NPROC, which recent kernels count per user namespace
 * @param limitsMemory whether the kernel counts and limits the memory of a job as a whole
 * @param exposesFirstProcess whether other processes of the job can read the memory of the first process unless it
 *     clears PR_SET_DUMPABLE, and the kernel may kill the first process when memory runs out
 * @param limitsAddressSpace whether the address space of each process must be limited: the memory in use can't be
 *     counted, or the kernel counts memory as used that is only reserved. Many libraries reserve far more than they use
 */
public record Capabilities(
        boolean isolates,
        boolean limitsProcesses,
        boolean limitsMemory,
        boolean exposesFirstProcess,
        boolean limitsAddressSpace) {}
