package dev.pysandbox.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.settings.InvalidSettingException;
import dev.pysandbox.settings.Property;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the documented defaults and the checks of values. */
class PythonSandboxBuilderTest {
    @Test
    void defaults() {
        Config config = PythonSandbox.builder().config();
        assertEquals("3.13", config.install().pythonVersion());
        assertEquals(Duration.ofMinutes(5), config.limits().maxTimeout());
        assertEquals(Duration.ofSeconds(30), config.limits().defaultTimeout());
        assertEquals(102_400, config.limits().maxOutputBytes());
        assertEquals(ByteSize.parse("2g"), config.limits().maxMemory());
        assertEquals(ByteSize.parse("512m"), config.limits().tmpSize());
        assertEquals(ByteSize.parse("5g"), config.cache().maxSize());
        assertEquals(128, config.limits().maxProcesses());
        assertEquals(Network.INTERNET, config.network().mode());
        assertEquals(Policy.OPEN, config.limits().policy());
        assertTrue(config.cache().warm());
    }

    @Test
    void theRestrictedPolicyHasItsOwn() {
        Config config = PythonSandbox.builder().policy(Policy.RESTRICTED).config();
        assertEquals(Duration.ofMinutes(1), config.limits().maxTimeout());
        assertEquals(Duration.ofSeconds(30), config.limits().defaultTimeout());
        assertEquals(65_536, config.limits().maxOutputBytes());
        assertEquals(ByteSize.parse("256m"), config.limits().maxMemory());
        assertEquals(64, config.limits().policy().openFiles());
    }

    @Test
    void itsLimitsHaveMaxima() {
        PythonSandboxBuilder builder = PythonSandbox.builder().policy(Policy.RESTRICTED);
        assertEquals(
                ByteSize.parse("1g"),
                builder.maxMemory(ByteSize.parse("1g")).config().limits().maxMemory());
        builder.maxMemory(ByteSize.parse("1025m"));
        assertThrows(IllegalArgumentException.class, builder::config);
    }

    @Test
    void scriptsCanReplaceNoFolderThatTheServerUses(@TempDir Path folder) throws IOException {
        Path inner = Files.createDirectories(folder.resolve("outer/inner"));
        Path alias = Files.createSymbolicLink(folder.resolve("alias"), inner);
        DataFolder outer = new DataFolder(folder.resolve("outer"), true);
        for (Path other : List.of(inner, alias)) {
            PythonSandboxBuilder builder = PythonSandbox.builder().mounts(List.of(outer, new DataFolder(other, false)));
            assertThrows(IllegalArgumentException.class, builder::config);
        }
        PythonSandboxBuilder cache =
                PythonSandbox.builder().mounts(List.of(outer)).cacheDir(inner);
        assertThrows(IllegalArgumentException.class, cache::config);
        List<DataFolder> writableInside =
                List.of(new DataFolder(folder.resolve("outer"), false), new DataFolder(inner, true));
        assertEquals(
                writableInside,
                PythonSandbox.builder().mounts(writableInside).config().shared().mounts());
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of("maxMemory", ByteSize.parse("1m"), "maxMemory must be at least 32m, got 1m"),
                Arguments.of(
                        "defaultTimeout",
                        Duration.ofSeconds(301),
                        "defaultTimeout must be between 1 and maxTimeout (300 seconds), got 301"),
                Arguments.of("dockerImage", "-x", "dockerImage must look like name:tag, got '-x'"),
                Arguments.of("packageAge", Duration.ofDays(-1), "packageAge must be 0 or more days, got -1"),
                Arguments.of(
                        "environment", Map.of("1A", ""), "environment must look like NAME or NAME=VALUE, got '1A'"),
                Arguments.of(
                        "allowHosts",
                        List.of("http://x/"),
                        "allowHosts must be a host such as example.org, example.org:443 or *.example.org, got 'http://x/'"),
                Arguments.of("maxMemri", 1, "no setting has the name 'maxMemri'"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalNamesTheProperty(String property, Object value, String message) {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class,
                () -> PythonSandbox.builder().set(property, value).config());
        assertEquals(message, refusal.getMessage());
    }

    @Test
    void aRefusalNamesTheOtherPropertyToo() {
        PythonSandboxBuilder builder =
                PythonSandbox.builder().network(Network.NONE).allowHosts(List.of("a.example"));
        InvalidSettingException refusal = assertThrows(InvalidSettingException.class, builder::config);
        assertEquals("allowHosts requires network internet, got none", refusal.getMessage());
        assertEquals("<allowHosts> requires <network> internet, got none", refusal.message(name -> "<" + name + ">"));
    }

    @Test
    void eachSettingHasAMethod() {
        Set<String> methods = Arrays.stream(PythonSandboxBuilder.class.getMethods())
                .filter(method ->
                        method.getParameterCount() == 1 && method.getReturnType() == PythonSandboxBuilder.class)
                .map(Method::getName)
                .collect(Collectors.toSet());
        assertEquals(Config.properties().stream().map(Property::name).collect(Collectors.toSet()), methods);
    }
}
