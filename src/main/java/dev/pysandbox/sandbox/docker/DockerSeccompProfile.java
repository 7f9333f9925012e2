package dev.pysandbox.sandbox.docker;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pysandbox.sandbox.seccomp.SeccompException;
import dev.pysandbox.sandbox.seccomp.SeccompException.Effect;
import dev.pysandbox.sandbox.seccomp.SeccompPolicy;
import dev.pysandbox.sandbox.seccomp.SeccompRule;
import java.util.ArrayList;
import java.util.List;

/** Writes the seccomp policy as a profile for {@code docker run --security-opt seccomp=FILE}. */
final class DockerSeccompProfile {
    private static final String ALLOW = "SCMP_ACT_ALLOW";
    private static final String REFUSE = "SCMP_ACT_ERRNO";
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;

    private DockerSeccompProfile() {}

    /** A condition: the argument, masked by {@code value}, equals {@code valueTwo}. */
    private record Argument(int index, long value, long valueTwo, String op) {
        Argument(int index, long mask, long expected) {
            this(index, mask, expected, "SCMP_CMP_MASKED_EQ");
        }
    }

    private record Entry(
            List<String> names,
            String action,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int errnoRet,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Argument> args) {
        static Entry allow(String name, List<Argument> args) {
            return new Entry(List.of(name), ALLOW, 0, args);
        }
    }

    private record Profile(
            String defaultAction, int defaultErrnoRet, List<String> architectures, List<Entry> syscalls) {}

    static String of(SeccompPolicy policy) throws JsonProcessingException {
        List<Entry> entries = new ArrayList<>();
        List<String> allowed = new ArrayList<>(policy.allowed());
        policy.exceptions().forEach((name, exceptions) -> {
            if (policy.rules().containsKey(name)) {
                exceptions.forEach(exception -> entries.addAll(entries(name, exception)));
                return;
            }
            List<Argument> differences = differences(name, exceptions);
            if (differences.isEmpty()) {
                allowed.add(name);
            }
            differences.forEach(argument -> entries.add(Entry.allow(name, List.of(argument))));
        });
        entries.add(new Entry(allowed, ALLOW, 0, List.of()));
        entries.add(new Entry(policy.absent(), REFUSE, ENOSYS, List.of()));
        policy.rules()
                .forEach((name, rules) ->
                        combinations(rules).forEach(arguments -> entries.add(Entry.allow(name, arguments))));
        Profile profile = new Profile(REFUSE, EPERM, List.of("SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"), entries);
        return new ObjectMapper().writeValueAsString(profile);
    }

    /** Returns the entries of an exception to the rules of a name. */
    private static List<Entry> entries(String name, SeccompException exception) {
        return combinations(exception.conditions()).stream()
                .map(arguments -> exception.effect() == Effect.ALLOW
                        ? Entry.allow(name, arguments)
                        : new Entry(List.of(name), REFUSE, exception.errno(), arguments))
                .toList();
    }

    /** Returns all combinations of values: a rule of a docker profile has one value for each argument. */
    private static List<List<Argument>> combinations(List<SeccompRule> rules) {
        List<List<Argument>> combinations = List.of(List.of());
        for (SeccompRule rule : rules) {
            List<List<Argument>> longer = new ArrayList<>();
            for (List<Argument> combination : combinations) {
                for (long value : rule.values()) {
                    List<Argument> with = new ArrayList<>(combination);
                    with.add(new Argument(rule.argument(), rule.mask(), value));
                    longer.add(with);
                }
            }
            combinations = longer;
        }
        return combinations;
    }

    /**
     * Returns a condition for each masked bit of an argument that holds if the bit differs from the exception's value,
     * because a profile can only list when a call is allowed. A profile can't express a call that returns success
     * without any effect, so exceptions of that kind are left out.
     */
    private static List<Argument> differences(String name, List<SeccompException> exceptions) {
        List<SeccompException> refusing = exceptions.stream()
                .filter(each -> each.effect() == Effect.REFUSE)
                .toList();
        List<SeccompRule> conditions =
                refusing.stream().flatMap(each -> each.conditions().stream()).toList();
        if (refusing.size() > 1
                || conditions.stream().anyMatch(each -> each.values().size() != 1)) {
            throw new IllegalStateException("a docker profile supports one exception for " + name + ", with one value");
        }
        List<Argument> differences = new ArrayList<>();
        for (SeccompRule condition : conditions) {
            for (long bit = 1; bit <= condition.mask(); bit <<= 1) {
                differences.add(new Argument(
                        condition.argument(), bit, ~condition.values().get(0) & bit));
            }
        }
        return differences;
    }
}
