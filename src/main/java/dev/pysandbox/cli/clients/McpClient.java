package dev.pysandbox.cli.clients;

import dev.pysandbox.support.Platform;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The supported MCP clients, with the location and format of their settings. */
public enum McpClient {
    CLAUDE_CODE("mcpServers"),
    CLAUDE_DESKTOP("mcpServers"),
    CURSOR("mcpServers"),
    CODEX("mcp_servers"),
    VSCODE("servers"),
    GEMINI("mcpServers"),
    OPENCODE("mcp");

    private final String section;

    McpClient(String section) {
        this.section = section;
    }

    /** The member of the settings that contains the servers by name. */
    public String section() {
        return section;
    }

    public boolean usesToml() {
        return this == CODEX;
    }

    /** Returns the settings entry of one server. */
    public Map<String, Object> entry(List<String> command) {
        Map<String, Object> entry = new LinkedHashMap<>();
        if (this == OPENCODE) {
            entry.put("type", "local");
            entry.put("command", command);
            entry.put("enabled", true);
            return entry;
        }
        if (this == CLAUDE_CODE || this == VSCODE) {
            entry.put("type", "stdio");
        }
        entry.put("command", command.get(0));
        entry.put("args", command.subList(1, command.size()));
        return entry;
    }

    /** The user's settings file. */
    public Path file(Path home, Map<String, String> environment, Platform.Os system) {
        Path settings = settingsFolder(home, environment, system);
        return switch (this) {
            case CLAUDE_CODE -> home.resolve(".claude.json");
            case CLAUDE_DESKTOP -> settings.resolve("Claude").resolve("claude_desktop_config.json");
            case CURSOR -> home.resolve(".cursor").resolve("mcp.json");
            case CODEX ->
                Path.of(environment.getOrDefault(
                                "CODEX_HOME", home.resolve(".codex").toString()))
                        .resolve("config.toml");
            case VSCODE -> settings.resolve("Code").resolve("User").resolve("mcp.json");
            case GEMINI -> home.resolve(".gemini").resolve("settings.json");
            case OPENCODE -> configFolder(home, environment).resolve("opencode").resolve("opencode.json");
        };
    }

    private static Path settingsFolder(Path home, Map<String, String> environment, Platform.Os system) {
        return switch (system) {
            case MACOS -> home.resolve("Library").resolve("Application Support");
            case WINDOWS ->
                Path.of(environment.getOrDefault(
                        "APPDATA", home.resolve("AppData").resolve("Roaming").toString()));
            case LINUX -> configFolder(home, environment);
        };
    }

    private static Path configFolder(Path home, Map<String, String> environment) {
        String folder = environment.getOrDefault("XDG_CONFIG_HOME", "");
        return folder.startsWith("/") ? Path.of(folder) : home.resolve(".config");
    }

    /** Returns the name on the command line, such as {@code claude-code}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
