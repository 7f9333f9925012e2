package dev.pysandbox.sandbox.seccomp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A seccomp filter in classic BPF, which the kernel runs for each system call of a sandboxed process:
 * https://docs.kernel.org/userspace-api/seccomp_filter.html.
 */
public final class SeccompFilter {
    // Classic BPF: load a word of struct seccomp_data, compare it, return an action.
    private static final int LOAD = 0x20;
    private static final int AND = 0x54;
    private static final int IF_EQUAL = 0x15;
    private static final int IF_AT_LEAST = 0x35;
    private static final int IF_GREATER = 0x25;
    private static final int RETURN = 0x06;

    private static final int ALLOW = 0x7fff0000;
    private static final int KILL = 0x80000000;
    private static final int REFUSE = 0x00050000;

    private static final int NUMBER = 0;
    private static final int ARCHITECTURE = 4;
    private static final int ARGUMENTS = 16;

    /** The first number of the x32 ABI, which is not used and whose calls would bypass a filter for x86_64. */
    private static final int X32 = 0x40000000;

    /** The kernel's AUDIT_ARCH value of each architecture, by the name of its table. */
    private static final Map<String, Integer> AUDIT = Map.of("x86_64", 0xC000003E, "aarch64", 0xC00000B7);

    private final SeccompPolicy policy;
    private final Map<String, Integer> numbers;
    private final List<Instruction> program = new ArrayList<>();

    /** One instruction; jumps are relative to the next one. */
    record Instruction(int code, int ifTrue, int ifFalse, int value) {}

    private SeccompFilter(SeccompPolicy policy, Map<String, Integer> numbers, int architecture) {
        this.policy = policy;
        this.numbers = numbers;
        assemble(architecture);
    }

    /** Returns the filter for a value of {@code os.arch}; empty if there is no table of its system calls. */
    public static Optional<SeccompFilter> of(String osArch) throws IOException {
        String name = osArch.equals("amd64") ? "x86_64" : osArch;
        Integer audit = AUDIT.get(name);
        return audit == null
                ? Optional.empty()
                : Optional.of(new SeccompFilter(SeccompPolicy.load(), SeccompPolicy.numbers(name), audit));
    }

    List<Instruction> program() {
        return List.copyOf(program);
    }

    public byte[] bytes() {
        ByteBuffer buffer = ByteBuffer.allocate(program.size() * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction each : program) {
            buffer.putShort((short) each.code());
            buffer.put((byte) each.ifTrue());
            buffer.put((byte) each.ifFalse());
            buffer.putInt(each.value());
        }
        return buffer.array();
    }

    private void assemble(int architecture) {
        add(LOAD, ARCHITECTURE);
        branch(IF_EQUAL, architecture, 1, 0);
        add(RETURN, KILL);
        add(LOAD, NUMBER);
        branch(IF_AT_LEAST, X32, 0, 1);
        add(RETURN, KILL);
        allowRanges();
        for (String name : conditional()) {
            whenNumberIs(name, Stream.concat(excepted(name), required(name)).toList());
        }
        for (String name : policy.absent()) {
            whenNumberIs(name, List.of(new Instruction(RETURN, 0, 0, REFUSE | 38)));
        }
        int last = numbers.values().stream().max(Integer::compare).orElseThrow();
        branch(IF_GREATER, last, 0, 1); // newer than the table: ENOSYS, so that libraries use an older call
        add(RETURN, REFUSE | 38);
        add(RETURN, REFUSE | 1);
    }

    /** Allows system calls; consecutive numbers share one comparison. */
    private void allowRanges() {
        TreeSet<Integer> allowed =
                policy.allowed().stream().flatMap(this::numberOf).collect(Collectors.toCollection(TreeSet::new));
        while (!allowed.isEmpty()) {
            int low = allowed.first();
            int high = low;
            while (allowed.remove(high)) {
                high++;
            }
            branch(IF_AT_LEAST, low, 0, 2);
            branch(IF_AT_LEAST, high, 1, 0);
            add(RETURN, ALLOW);
        }
    }

    /** The names of system calls whose arguments matter. */
    private Set<String> conditional() {
        Set<String> names = new LinkedHashSet<>(policy.rules().keySet());
        names.addAll(policy.exceptions().keySet());
        return names;
    }

    /** Returns the outcome of the first exception whose conditions all hold. */
    private Stream<Instruction> excepted(String name) {
        List<Instruction> body = new ArrayList<>();
        for (SeccompException exception : policy.exceptions().getOrDefault(name, List.of())) {
            List<Instruction> block = new ArrayList<>(List.of(new Instruction(RETURN, 0, 0, outcome(exception))));
            for (int i = exception.conditions().size() - 1; i >= 0; i--) { // backwards: each jumps over the rest
                List<Instruction> condition = new ArrayList<>();
                compare(exception.conditions().get(i), 0, condition);
                Instruction last = condition.remove(condition.size() - 1);
                condition.add(new Instruction(last.code(), last.ifTrue(), block.size(), last.value()));
                block.addAll(0, condition);
            }
            body.addAll(block);
        }
        return body.stream();
    }

    private static int outcome(SeccompException exception) {
        return switch (exception.effect()) {
            case ALLOW -> ALLOW;
            case IGNORE -> REFUSE;
            case REFUSE -> REFUSE | exception.errno();
        };
    }

    /** Allows a call if all rules hold; else it fails with the error of the first one that does not. */
    private Stream<Instruction> required(String name) {
        List<Instruction> body = new ArrayList<>();
        for (SeccompRule rule : policy.rules().getOrDefault(name, List.of())) {
            compare(rule, 1, body);
            body.add(new Instruction(RETURN, 0, 0, REFUSE | rule.errno()));
        }
        body.add(new Instruction(RETURN, 0, 0, ALLOW));
        return body.stream();
    }

    /** Appends a comparison that jumps over the given number of instructions if the rule holds. */
    private static void compare(SeccompRule rule, int over, List<Instruction> body) {
        body.add(new Instruction(LOAD, 0, 0, ARGUMENTS + 8 * rule.argument()));
        body.add(new Instruction(AND, 0, 0, (int) rule.mask()));
        int left = rule.values().size() - 1 + over;
        for (long value : rule.values()) {
            body.add(new Instruction(IF_EQUAL, left--, 0, (int) value));
        }
    }

    private void whenNumberIs(String name, List<Instruction> body) {
        numberOf(name).forEach(number -> {
            branch(IF_EQUAL, number, 0, body.size());
            program.addAll(body);
        });
    }

    private Stream<Integer> numberOf(String name) {
        return Optional.ofNullable(numbers.get(name)).stream();
    }

    private void add(int code, int value) {
        branch(code, value, 0, 0);
    }

    private void branch(int code, int value, int ifTrue, int ifFalse) {
        program.add(new Instruction(code, ifTrue, ifFalse, value));
    }
}
