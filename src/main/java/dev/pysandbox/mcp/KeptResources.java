package dev.pysandbox.mcp;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import dev.pysandbox.mcp.jsonrpc.RpcException;
import dev.pysandbox.mcp.render.FileView;
import dev.pysandbox.mcp.render.FileViews;
import dev.pysandbox.support.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The kept files of a session, as MCP resources, exactly as the scripts wrote them.
 *
 * <p>A URI is looked up as a whole in a map and never parsed, so path traversal is impossible. A file that was changed
 * or replaced is refused because its sha256 differs.
 */
final class KeptResources {
    static final String READ = "resources/read";

    private static final Set<String> METHODS = Set.of("resources/list", "resources/templates/list", READ);
    private static final int MOST = 256;
    private static final int LARGEST = 8 << 20;

    private final Map<String, Resource> byUri = new LinkedHashMap<>();

    /** A kept file; the components that clients see are written by Jackson. */
    private record Resource(
            String uri,
            String name,
            String mimeType,
            long size,
            @JsonIgnore Path path,
            @JsonIgnore String sha256) {}

    /** Adds those of the files that are kept. */
    synchronized void add(List<ProducedFile> files) {
        for (ProducedFile file : files) {
            if (file.kept().isPresent() && file.sha256().isPresent()) {
                Path path = file.kept().get();
                String uri = FileView.uri(path);
                String name = FileView.shown(file.name());
                byUri.put(
                        uri,
                        new Resource(
                                uri,
                                name,
                                file.mimeType(),
                                file.size(),
                                path,
                                file.sha256().get()));
            }
        }
        while (byUri.size() > MOST) {
            byUri.remove(byUri.keySet().iterator().next());
        }
    }

    boolean handles(Request request) {
        return METHODS.contains(request.method());
    }

    /**
     * Handles a request for resources.
     *
     * @param notFound the error code for an unknown URI, which differs between protocol revisions
     */
    Object handle(Request request, int notFound) throws RpcException {
        return switch (request.method()) {
            case READ -> read(request.params().get("uri"), notFound);
            case "resources/templates/list" -> Map.of("resourceTemplates", List.of());
            default -> Map.of("resources", list());
        };
    }

    /** Lists the resources, newest first. */
    private synchronized List<Resource> list() {
        List<Resource> list = new ArrayList<>(byUri.values());
        Collections.reverse(list);
        return list;
    }

    private Map<String, Object> read(@Nullable Object uri, int notFound) throws RpcException {
        Optional<Resource> found = find(String.valueOf(uri));
        if (found.isEmpty()) {
            throw new RpcException(new RpcError(
                    notFound, "Resource not found: it is not a file of this server's runs", Map.of("uri", "" + uri)));
        }
        Resource resource = found.get();
        if (resource.size() > LARGEST) {
            throw new RpcException(RpcError.invalidParams("The file has " + resource.size() + " bytes, and at most "
                    + (LARGEST >> 20) + " MiB can be read this way. Open it at " + resource.path()));
        }
        byte[] content = unchanged(resource)
                .orElseThrow(() -> new RpcException(
                        new RpcError(notFound, "The file was changed or removed since", Map.of("uri", "" + uri))));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("uri", resource.uri());
        json.put("mimeType", resource.mimeType());
        Optional<String> text =
                resource.mimeType().startsWith("image/") && !resource.mimeType().endsWith("xml")
                        ? Optional.empty()
                        : FileViews.decoded(content);
        text.ifPresentOrElse(
                words -> json.put("text", words),
                () -> json.put("blob", Base64.getEncoder().encodeToString(content)));
        return Map.of("contents", List.of(json));
    }

    private synchronized Optional<Resource> find(String uri) {
        return Optional.ofNullable(byUri.get(uri));
    }

    private static Optional<byte[]> unchanged(Resource resource) {
        if (!Files.isRegularFile(resource.path(), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (InputStream file = Files.newInputStream(resource.path(), LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = file.readNBytes((int) resource.size() + 1);
            return Optional.of(content).filter(bytes -> Sha256.of(bytes).equals(resource.sha256()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
