package dev.pysandbox.sandbox.seccomp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeccompFilterTest {
    private static final Map<String, Integer> AUDIT = Map.of("x86_64", 0xC000003E, "aarch64", 0xC00000B7);

    @ParameterizedTest
    @CsvSource({
        "openat, 0, 0, allow",
        "execve, 0, 0, allow",
        "mmap, 0, 0, allow",
        "futex, 0, 0, allow",
        "getrandom, 0, 0, allow",
        "clone, 0x003d0f00, 0, allow", // a thread as glibc starts it
        "clone, 0x11, 0, allow", // a fork
        "clone, 0x10000011, 0, 1", // a user namespace
        "clone, 0x00020011, 0, 1", // a mount namespace
        "clone, 0x40000011, 0, 1", // a network namespace
        "clone, 0x02000011, 0, 1", // a cgroup namespace
        "socket, 1, 0x80001, allow",
        "socket, 2, 1, allow",
        "socket, 10, 0x802, allow",
        "socket, 2, 3, 1", // raw
        "socket, 2, 0x80003, 1", // raw, with SOCK_CLOEXEC
        "socket, 2, 10, 1", // SOCK_PACKET
        "socket, 16, 3, 22", // netlink: ZeroMQ aborts at any other error
        "socket, 16, 0x80003, 22",
        "socket, 0x100000010, 2, 22",
        "socket, 17, 3, 97", // packets
        "socket, 38, 5, 97", // the kernel's crypto
        "socket, 40, 1, 97", // vsock
        "socketpair, 1, 1, allow",
        "socketpair, 2, 1, 97",
        "ioctl, 0, 0x5401, allow",
        "ioctl, 0, 0x5412, 25", // TIOCSTI
        "ioctl, 0, 0x541c, 25", // TIOCLINUX
        "ioctl, 0, 0x100005412, 25", // CVE-2019-10063
        "ioctl, 0, 0x100005401, allow", // the kernel ignores the upper bits
        "prctl, 15, 0, allow",
        "prctl, 1, 9, allow", // PR_SET_PDEATHSIG to SIGKILL
        "prctl, 1, 0, 1",
        "prctl, 1, 15, 1",
        "prctl, 0x100000001, 0, 1",
        "capset, 0, 0, allow",
        "prctl, 22, 2, 1", // PR_SET_SECCOMP
        "prctl, 35, 1, 1", // PR_SET_MM
        "personality, 0xffffffff, 0, allow",
        "personality, 0x40000, 0, 1", // ADDR_NO_RANDOMIZE
        "clone3, 0, 0, 38",
        "io_uring_setup, 0, 0, 38",
        "memfd_create, 0, 0, 38",
        "inotify_init1, 0, 0, 38",
        "ptrace, 0, 0, 1",
        "process_vm_readv, 0, 0, 1",
        "pidfd_getfd, 0, 0, 1",
        "bpf, 0, 0, 1",
        "userfaultfd, 0, 0, 1",
        "perf_event_open, 0, 0, 1",
        "keyctl, 0, 0, 1",
        "add_key, 0, 0, 1",
        "mount, 0, 0, 1",
        "unshare, 0x10000000, 0, 1",
        "setns, 0, 0, 1",
        "pivot_root, 0, 0, 1",
        "open_tree, 0, 0, 1",
        "fsopen, 0, 0, 1",
        "move_mount, 0, 0, 1",
        "open_by_handle_at, 0, 0, 1",
        "name_to_handle_at, 0, 0, 1",
        "shmget, 0, 0, 1",
        "msgget, 0, 0, 1",
        "mq_open, 0, 0, 1",
        "seccomp, 1, 0, 1",
        "kexec_load, 0, 0, 1",
        "init_module, 0, 0, 1",
        "reboot, 0, 0, 1",
        "swapon, 0, 0, 1",
        "sethostname, 0, 0, 1",
        "settimeofday, 0, 0, 1",
        "syslog, 3, 0, 1",
        "acct, 0, 0, 1",
        "chroot, 0, 0, 1",
        "quotactl, 0, 0, 1",
        "fanotify_init, 0, 0, 1",
        "sync, 0, 0, 1",
    })
    void judgesOnBothArchitectures(String name, String first, String second, String verdict) throws Exception {
        for (String architecture : AUDIT.keySet()) {
            int number = SeccompPolicy.numbers(architecture).getOrDefault(name, -1);
            if (number >= 0) {
                Call call = new Call(AUDIT.get(architecture), number, Long.decode(first), Long.decode(second), 0);
                assertEquals(verdict, verdict(architecture, call), name + " on " + architecture);
            }
        }
        assertTrue(SeccompPolicy.numbers("x86_64").containsKey(name), name);
    }

    @ParameterizedTest
    @CsvSource({
        "socket, 2, 1, 0, allow",
        "socket, 2, 1, 6, allow", // TCP
        "socket, 10, 0x80802, 17, allow", // UDP
        "socket, 2, 1, 0x100000006, allow", // TCP to the kernel
        "socket, 2, 1, 262, 93", // MPTCP
        "socket, 10, 1, 262, 93",
        "socket, 2, 2, 136, 93", // UDP-Lite
        "socket, 2, 2, 1, 93", // ICMP
        "socket, 10, 2, 58, 93", // ICMPv6
        "socket, 2, 5, 132, 93", // SCTP
        "socket, 2, 1, 256, 93", // SMC
        "socket, 2, 1, 0x80000006, 93",
        "setsockopt, 3, 1, 2, allow", // SO_REUSEADDR
        "setsockopt, 3, 1, 7, 0", // SO_SNDBUF: returns success without any effect
        "setsockopt, 3, 1, 8, 0", // SO_RCVBUF
        "setsockopt, 3, 0x100000001, 0x100000007, 0",
        "setsockopt, 3, 6, 7, allow", // TCP_SYNCNT
        "setsockopt, 3, 6, 31, 92", // TCP_ULP
        "setsockopt, 3, 0x100000006, 0x10000001f, 92",
        "setsockopt, 3, 0x40000006, 31, allow", // no such level
        "setsockopt, 3, 1, 31, allow", // SO_PEERSEC
        "setsockopt, 3, 41, 31, allow", // an option of IPv6
        "setsockopt, 3, 0, 8, allow", // IP_PKTINFO
    })
    void judgesByTheThirdArgumentToo(String name, String first, String second, String third, String verdict)
            throws Exception {
        for (String architecture : AUDIT.keySet()) {
            int number = SeccompPolicy.numbers(architecture).get(name);
            Call call = new Call(
                    AUDIT.get(architecture), number, Long.decode(first), Long.decode(second), Long.decode(third));
            assertEquals(verdict, verdict(architecture, call), name + " on " + architecture);
        }
    }

    @Test
    void killsThoseWhoCallAsAnotherArchitecture() throws Exception {
        assertEquals("kill", verdict("x86_64", new Call(0x40000003, 1, 0, 0, 0)), "32 bits");
        assertEquals("kill", verdict("x86_64", new Call(0xC000003E, 0x40000000 + 1, 0, 0, 0)), "x32");
        assertEquals("kill", verdict("aarch64", new Call(0x40000028, 1, 0, 0, 0)), "32 bits");
        assertEquals("kill", verdict("aarch64", new Call(0xC000003E, 0, 0, 0, 0)));
    }

    @Test
    void deniesCallsThatAreNewerThanTheListAsAbsent() throws Exception {
        assertEquals("38", verdict("x86_64", new Call(0xC000003E, 1000, 0, 0, 0)));
        assertEquals("38", verdict("aarch64", new Call(0xC00000B7, 1000, 0, 0, 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x86_64", "aarch64"})
    void letsThroughWhatTheListSaysAndNoMore(String architecture) throws Exception {
        SeccompPolicy policy = SeccompPolicy.load();
        Set<String> named = new HashSet<>(policy.allowed());
        for (Map.Entry<String, Integer> each :
                SeccompPolicy.numbers(architecture).entrySet()) {
            if (!policy.rules().containsKey(each.getKey())
                    && !policy.exceptions().containsKey(each.getKey())) {
                String verdict = verdict(architecture, new Call(AUDIT.get(architecture), each.getValue(), 0, 0, 0));
                assertEquals(named.contains(each.getKey()), verdict.equals("allow"), each.getKey());
            }
        }
    }

    @Test
    void namesOnlyCallsThatExist() throws Exception {
        SeccompPolicy policy = SeccompPolicy.load();
        Set<String> known = new HashSet<>(SeccompPolicy.numbers("x86_64").keySet());
        known.addAll(SeccompPolicy.numbers("aarch64").keySet());
        for (List<String> names : List.of(
                policy.allowed(),
                policy.absent(),
                List.copyOf(policy.rules().keySet()),
                List.copyOf(policy.exceptions().keySet()))) {
            assertEquals(
                    List.of(),
                    names.stream().filter(name -> !known.contains(name)).toList());
            assertEquals(names.size(), new HashSet<>(names).size(), "no name twice");
        }
    }

    @Test
    void isWrittenAsTheKernelReadsIt() throws Exception {
        SeccompFilter filter = SeccompFilter.of("amd64").orElseThrow();
        byte[] bytes = filter.bytes();
        assertEquals(filter.program().size() * 8, bytes.length);
        assertTrue(filter.program().size() < 4096, "the kernel takes no more");
        // ld [4]; jeq #0xc000003e, 1, 0
        byte[] expected = {0x20, 0, 0, 0, 4, 0, 0, 0, 0x15, 0, 1, 0, 0x3e, 0, 0, (byte) 0xc0};
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], bytes[i], "byte " + i);
        }
    }

    @Test
    void knowsNoOtherArchitecture() throws Exception {
        assertEquals(Optional.empty(), SeccompFilter.of("riscv64"));
        assertThrows(IllegalArgumentException.class, () -> new SeccompRule("read", 6, 0, List.of(), 1));
    }

    private static String verdict(String architecture, Call call) throws Exception {
        int verdict = call.judge(SeccompFilter.of(architecture).orElseThrow().program());
        return switch (verdict & 0xffff0000) {
            case 0x7fff0000 -> "allow";
            case 0x80000000 -> "kill";
            default -> Integer.toString(verdict & 0xffff);
        };
    }

    /** A system call in the form that a filter receives, and an interpreter for filters. */
    private record Call(int architecture, int number, long first, long second, long third) {
        int judge(List<SeccompFilter.Instruction> program) {
            int accumulator = 0;
            for (int at = 0; ; at++) {
                SeccompFilter.Instruction each = program.get(at);
                switch (each.code()) {
                    case 0x20 -> accumulator = load(each.value());
                    case 0x54 -> accumulator &= each.value();
                    case 0x15 -> at += accumulator == each.value() ? each.ifTrue() : each.ifFalse();
                    case 0x35 ->
                        at += Integer.compareUnsigned(accumulator, each.value()) >= 0 ? each.ifTrue() : each.ifFalse();
                    case 0x25 ->
                        at += Integer.compareUnsigned(accumulator, each.value()) > 0 ? each.ifTrue() : each.ifFalse();
                    case 0x06 -> {
                        return each.value();
                    }
                    default -> throw new AssertionError("no such instruction: " + each);
                }
            }
        }

        private int load(int offset) {
            return switch (offset) {
                case 0 -> number;
                case 4 -> architecture;
                case 16 -> (int) first;
                case 24 -> (int) second;
                case 32 -> (int) third;
                default -> throw new AssertionError("nothing is known of offset " + offset);
            };
        }
    }
}
