package dev.pysandbox.api;

import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Puts a {@link PythonSandbox} together; what is not set has the default that is written here, and nowhere else. */
public final class PythonSandboxBuilder {
    private String pythonVersion = "3.13";
    private Backend backend = System.getProperty("os.name", "").equals("Linux") ? Backend.NATIVE : Backend.DOCKER;
    private Optional<Duration> maxTimeout = Optional.empty();
    private Duration defaultTimeout = Duration.ofSeconds(30);
    private Optional<Long> maxOutputBytes = Optional.empty();
    private boolean warmCache = true;
    private String uvPath = "uv";
    private boolean requireSandbox;
    private Network network = Network.INTERNET;
    private List<String> allowHosts = List.of();
    private Optional<ByteSize> maxMemory = Optional.empty();
    private int maxProcesses = 128;
    private OptionalDouble maxCpus = OptionalDouble.empty();
    private ByteSize tmpSize = ByteSize.parse("512m");
    private List<DataFolder> mounts = List.of();
    private Map<String, String> environment = Map.of();
    private Optional<Path> keepFiles = Optional.empty();
    private Path cacheDir = Config.defaultCacheDir(System.getenv());
    private ByteSize maxCacheSize = ByteSize.parse("5g");
    private int warmPool = 2;
    private int maxConcurrent = 16;
    private Optional<Duration> packageAge = Optional.empty();
    private Policy policy = Policy.OPEN;
    private Optional<String> dockerImage = Optional.empty();
    private Optional<String> dockerRuntime = Optional.empty();

    PythonSandboxBuilder() {}

    /** The Python that runs the scripts, such as {@code 3.13}. */
    public PythonSandboxBuilder pythonVersion(String version) {
        this.pythonVersion = version;
        return this;
    }

    /** The backend that isolates scripts; by default native on Linux and docker elsewhere. */
    public PythonSandboxBuilder backend(Backend backend) {
        this.backend = backend;
        return this;
    }

    /** The longest time a request may ask for. */
    public PythonSandboxBuilder maxTimeout(Duration timeout) {
        this.maxTimeout = Optional.of(timeout);
        return this;
    }

    /** The time for a request that asks for none. */
    public PythonSandboxBuilder defaultTimeout(Duration timeout) {
        this.defaultTimeout = timeout;
        return this;
    }

    /** How much of each stream is kept. */
    public PythonSandboxBuilder maxOutputBytes(long bytes) {
        this.maxOutputBytes = Optional.of(bytes);
        return this;
    }

    /** Whether a server downloads common packages in the background. */
    public PythonSandboxBuilder warmCache(boolean warm) {
        this.warmCache = warm;
        return this;
    }

    /** The uv to use; plain {@code uv} means to look for it, and to fetch it if there is none. */
    public PythonSandboxBuilder uvPath(String path) {
        this.uvPath = path;
        return this;
    }

    /** Whether to refuse to run rather than to run without a sandbox. */
    public PythonSandboxBuilder requireSandbox(boolean required) {
        this.requireSandbox = required;
        return this;
    }

    /** What scripts can reach. */
    public PythonSandboxBuilder network(Network network) {
        this.network = network;
        return this;
    }

    /** Narrows the internet to these hosts, each a name or {@code *.domain}. */
    public PythonSandboxBuilder allowHosts(List<String> hosts) {
        this.allowHosts = List.copyOf(hosts);
        return this;
    }

    /** Memory for a script and all its processes. */
    public PythonSandboxBuilder maxMemory(ByteSize memory) {
        this.maxMemory = Optional.of(memory);
        return this;
    }

    /** Processes and threads for a script. */
    public PythonSandboxBuilder maxProcesses(int processes) {
        this.maxProcesses = processes;
        return this;
    }

    /** Processors for a script. */
    public PythonSandboxBuilder maxCpus(double cpus) {
        this.maxCpus = OptionalDouble.of(cpus);
        return this;
    }

    /** Room in each folder that a script can write to. */
    public PythonSandboxBuilder tmpSize(ByteSize size) {
        this.tmpSize = size;
        return this;
    }

    /** Folders and files of the host that scripts find under /data. */
    public PythonSandboxBuilder mounts(List<DataFolder> folders) {
        this.mounts = List.copyOf(folders);
        return this;
    }

    /** The variables that scripts see. */
    public PythonSandboxBuilder environment(Map<String, String> variables) {
        this.environment = new LinkedHashMap<>(variables);
        return this;
    }

    /** Keeps the files that scripts make in this folder. */
    public PythonSandboxBuilder keepFiles(Path folder) {
        this.keepFiles = Optional.of(folder.toAbsolutePath().normalize());
        return this;
    }

    /** Where uv, Pythons and environments are kept. */
    public PythonSandboxBuilder cacheDir(Path folder) {
        this.cacheDir = folder.toAbsolutePath();
        return this;
    }

    /** Room for that folder. */
    public PythonSandboxBuilder maxCacheSize(ByteSize size) {
        this.maxCacheSize = size;
        return this;
    }

    /** Installs only packages that have been on the index for so long. */
    public PythonSandboxBuilder packageAge(Duration age) {
        this.packageAge = Optional.of(age);
        return this;
    }

    /** How many sandboxes are kept waiting for a script. */
    public PythonSandboxBuilder warmPool(int sandboxes) {
        this.warmPool = sandboxes;
        return this;
    }

    /** How many scripts run at a time; others wait for their turn. */
    public PythonSandboxBuilder maxConcurrent(int scripts) {
        this.maxConcurrent = scripts;
        return this;
    }

    /** Which scripts are accepted; the restricted policy also has lower limits. */
    public PythonSandboxBuilder policy(Policy policy) {
        this.policy = policy;
        return this;
    }

    /** The image of the Docker backend; by default one that is built from the Dockerfile within. */
    public PythonSandboxBuilder dockerImage(String name) {
        this.dockerImage = Optional.of(name);
        return this;
    }

    /** The runtime of the Docker backend, such as {@code runsc}; by default the engine's own. */
    public PythonSandboxBuilder dockerRuntime(String name) {
        this.dockerRuntime = Optional.of(name);
        return this;
    }

    /** The settings by themselves; a mistake is an IllegalArgumentException that says what was expected. */
    public Config config() {
        return new Config(
                pythonVersion,
                backend,
                maxTimeout.orElse(policy.maxTimeout()),
                defaultTimeout,
                maxOutputBytes.orElse(policy.outputBytes()),
                warmCache,
                uvPath,
                requireSandbox,
                network,
                allowHosts,
                maxMemory.orElse(policy.memory()),
                maxProcesses,
                maxCpus,
                tmpSize,
                mounts,
                environment,
                keepFiles,
                cacheDir,
                maxCacheSize,
                warmPool,
                maxConcurrent,
                policy,
                packageAge,
                dockerImage,
                dockerRuntime);
    }

    /** Gets ready to run scripts; what takes time is done when it is first needed. */
    public PythonSandbox build() throws IOException {
        return PythonSandbox.open(config());
    }
}
