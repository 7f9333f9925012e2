package dev.pysandbox.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pysandbox.mcp.Incoming.Invalid;
import dev.pysandbox.mcp.Incoming.Notification;
import dev.pysandbox.mcp.Incoming.Request;
import dev.pysandbox.mcp.LineReader.Line;
import io.modelcontextprotocol.json.TypeRef;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JSON-RPC over lines: answers what it can by itself, gives the rest to a dispatcher, and goes on after whatever
 * comes.
 */
final class Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration REHEARSAL = Duration.ofSeconds(30);

    private final MessageWriter out;
    private final Jackson2Mapper json;
    private final ParamsCheck paramsCheck;
    private final Dispatcher dispatcher;
    private final Optional<KeptResources> resources;
    private final CallThreads threads = new CallThreads();
    private final Map<Object, Call> unanswered = new ConcurrentHashMap<>();
    private volatile Optional<LogLevel> logLevel = Optional.empty();
    private volatile Optional<String> client = Optional.empty();
    private boolean batches = true;
    private volatile boolean links = true;

    Connection(
            LineWriter out,
            Jackson2Mapper json,
            ParamsCheck paramsCheck,
            Dispatcher dispatcher,
            Optional<KeptResources> resources) {
        this.out = new MessageWriter(json, out);
        this.json = json;
        this.paramsCheck = paramsCheck;
        this.dispatcher = dispatcher;
        this.resources = resources;
    }

    /** Takes note of the revision that the client asked for in its handshake, and of its name. */
    void initialized(String version, Optional<String> name) {
        batches = ServerIdentity.BATCH_VERSIONS.contains(version);
        links = !ServerIdentity.VERSIONS_WITHOUT_LINKS.contains(version);
        client = name;
    }

    /**
     * Takes one call all the way, from its line to an answer that nobody gets. The first call takes ten times as long as
     * the next, for all that is loaded on its way: it had better not be a client's.
     */
    void rehearse(String line) {
        LineWriter nobody = new LineWriter(OutputStream.nullOutputStream(), () -> {});
        Connection rehearsal = new Connection(nobody, json, paramsCheck, dispatcher, Optional.empty());
        rehearsal.receive(new Line.Text(line));
        rehearsal.finish(REHEARSAL);
    }

    /** Returns when no call is left, or when those that are left would not end. */
    void finish(Duration grace) {
        threads.finish(grace, PATIENCE);
        List.copyOf(unanswered.values()).stream()
                .filter(call -> call.request().method().equals(StatelessEra.LISTEN))
                .forEach(call -> result(
                        call, StatelessEra.endOfSubscription(call.request().id())));
    }

    /** Handles a line; never waits for a call, never throws. */
    void receive(Line line) {
        try {
            if (line instanceof Line.Text text) {
                receive(text.value());
            } else if (line instanceof Line.BadEncoding) {
                out.refuse(RpcError.parseError("The line is not valid UTF-8."));
            } else {
                out.refuse(RpcError.invalidRequest("The line is too long."));
            }
        } catch (RuntimeException | Error e) { // out of memory or stack, too: this line is lost, not the next
            LOG.error("A line could not be handled", e);
            out.refuse(RpcError.internal());
        }
    }

    private void receive(String text) {
        if (text.isBlank()) {
            return;
        }
        Object message;
        try {
            message = json.readValue(text, Object.class);
        } catch (JsonProcessingException e) {
            out.refuse(RpcError.parseError("The line is not valid JSON."));
            return;
        }
        if (message instanceof List<?> members && !members.isEmpty() && batches) {
            Batch batch = new Batch(members.size(), out::write);
            members.forEach(member -> receive(Incoming.of(member), batch));
        } else {
            receive(Incoming.of(message), out);
        }
    }

    private void receive(Incoming message, AnswerSink sink) {
        if (message instanceof Request request) {
            receive(request, sink);
        } else if (message instanceof Invalid invalid) {
            sink.answer(Outgoing.error(invalid.id(), invalid.error()));
        } else {
            if (message instanceof Notification notification
                    && notification.method().equals("notifications/cancelled")) {
                cancel(notification.params().get("requestId"));
            }
            sink.nothing();
        }
    }

    private void receive(Request request, AnswerSink sink) {
        Call call = new Call(request, sink, progress(request));
        if (unanswered.putIfAbsent(request.id(), call) != null) {
            RpcError error = RpcError.invalidRequest("The id of this request is in use by another one.");
            sink.answer(Outgoing.error(Optional.of(request.id()), error));
            return;
        }
        Optional<RpcError> refusal = call.stateless() ? StatelessEra.refuse(request) : Optional.empty();
        refusal = refusal.or(() -> paramsCheck.refuse(request));
        if (refusal.isPresent()) {
            fail(call, refusal.get());
            return;
        }
        switch (request.method()) {
            case "ping" -> result(call, Map.of());
            case "logging/setLevel" -> {
                logLevel = LogLevel.of(request.params().get("level"));
                result(call, Map.of());
            }
            case StatelessEra.DISCOVER -> result(call, StatelessEra.discovery(resources.isPresent()));
            case StatelessEra.LISTEN ->
                out.notify("notifications/subscriptions/acknowledged", StatelessEra.acknowledgement(request.id()));
            case "tools/call", KeptResources.READ -> startThread(call);
            case "initialize" -> {
                initialized(
                        String.valueOf(request.params().get("protocolVersion")),
                        Incoming.name(request.params().get("clientInfo")));
                dispatch(call);
            }
            default -> dispatch(call);
        }
    }

    private void startThread(Call call) {
        try {
            threads.start(call, () -> dispatch(call));
        } catch (RuntimeException | Error e) {
            LOG.error("No thread could be started", e);
            fail(call, RpcError.internal());
        }
    }

    private void dispatch(Call call) {
        try {
            result(call, answer(call));
        } catch (RpcException e) {
            fail(call, e.error());
        } catch (RuntimeException | Error e) {
            LOG.error("{} failed", call.request().method(), e);
            fail(call, RpcError.internal());
        }
    }

    private Object answer(Call call) throws RpcException {
        Optional<KeptResources> responsible = resources.filter(kept -> kept.answers(call.request()));
        return responsible.isPresent()
                ? responsible
                        .get()
                        .answer(
                                call.request(),
                                call.stateless() ? RpcError.INVALID_PARAMS : RpcError.RESOURCE_NOT_FOUND)
                : dispatcher.dispatch(call.request(), new CallingClient(call));
    }

    private void cancel(@Nullable Object id) {
        Call call = id == null ? null : unanswered.get(id);
        if (call != null && settle(call)) {
            call.interrupt();
            call.sink().nothing();
        }
    }

    private void result(Call call, Object result) {
        Request request = call.request();
        Object complete = result;
        if (ContentOnly.isFor(call.stateless() ? StatelessEra.client(request) : client)) {
            complete = ContentOnly.of(json.convertValue(complete, new JsonObject()));
        }
        if (call.stateless()) {
            complete = StatelessEra.complete(request.method(), json.convertValue(complete, new JsonObject()));
        }
        if (settle(call)) {
            call.sink().answer(Outgoing.result(request.id(), complete));
        }
    }

    private void fail(Call call, RpcError error) {
        if (settle(call)) {
            call.sink().answer(Outgoing.error(Optional.of(call.request().id()), error));
        }
    }

    /** True for the one who may answer the call, or say that there is no answer. */
    private boolean settle(Call call) {
        boolean first = unanswered.remove(call.request().id(), call);
        if (first) {
            call.progress().ifPresent(Progress::close);
        }
        return first;
    }

    private Optional<Progress> progress(Request request) {
        return Optional.ofNullable(request.meta().get("progressToken"))
                .filter(token -> token instanceof String || token instanceof Number)
                .map(token ->
                        new Progress(token, System::nanoTime, params -> out.notify("notifications/progress", params)));
    }

    /** The client as the call sees it; after the answer it hears nothing more. */
    private final class CallingClient implements Caller {
        private final Call call;

        CallingClient(Call call) {
            this.call = call;
        }

        @Override
        public void progress(String message) {
            call.progress().ifPresent(progress -> progress.report(message));
        }

        @Override
        public boolean listens() {
            return call.progress().isPresent() || leastLevel().isPresent();
        }

        @Override
        public boolean takesLinks() {
            return call.stateless() || links;
        }

        private Optional<LogLevel> leastLevel() {
            return call.stateless() ? StatelessEra.logLevel(call.request()) : logLevel;
        }

        @Override
        public void log(LogLevel level, String message) {
            Optional<LogLevel> least = leastLevel();
            boolean wanted = least.isPresent() && level.compareTo(least.get()) >= 0;
            if (wanted && unanswered.get(call.request().id()) == call) {
                Map<String, Object> params = new LinkedHashMap<>();
                params.put("level", level.wireName());
                params.put("logger", ServerIdentity.NAME);
                params.put("data", message);
                out.notify("notifications/message", params);
            }
        }
    }

    /** The type of any JSON object. */
    private static final class JsonObject extends TypeRef<Map<String, Object>> {}
}
