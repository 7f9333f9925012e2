"""A stub model that makes given tool calls, one per turn, and records the results that the client sends it.

It implements as much of Anthropic's Messages and OpenAI's Responses, both streamed, as the clients use.
"""

import http.server
import json
import threading
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ToolCall:
    tool: str
    arguments: dict


@dataclass(frozen=True)
class Received:
    """What a model was given as the result of a call."""

    text: str
    images: list[tuple[str, str]] = field(default_factory=list)  # (MIME type, Base64)


class StubModel:
    """Serves on this machine's loopback while it is entered."""

    def __init__(self, calls: list[ToolCall]):
        self.calls = calls
        self.tools: set[str] = set()
        self.received: list[Received] = []
        handler = type("Handler", (_Handler,), {"model": self})
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> "StubModel":
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._http.shutdown()
        self._http.server_close()

    def next_call(self, tools: dict[str, dict], received: list[Received]) -> tuple[dict, dict] | None:
        """The tool to call now, as the client calls it, and the arguments; None when there is nothing left to do."""
        if not tools:
            return None  # a side question, such as for the conversation's title
        self.tools |= set(tools)
        self.received = received
        if len(received) == len(self.calls):
            return None
        call = self.calls[len(received)]
        return (tools[call.tool], call.arguments) if call.tool in tools else None


OUR_TOOLS = ("execute_python", "validate_script", "check_environment")


class _Handler(http.server.BaseHTTPRequestHandler):
    model: StubModel

    def do_GET(self) -> None:
        self._answer_json({"data": [], "models": []})

    def do_HEAD(self) -> None:
        self._answer_json({})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        if self.path.partition("?")[0].endswith("/messages"):
            self._anthropic(body)
        elif self.path.endswith("/responses"):
            self._openai(body)
        else:
            self._answer_json({"input_tokens": 1})

    # -- Anthropic's Messages ---------------------------------------------------------------------------------

    def _anthropic(self, body: dict) -> None:
        tools = {our: {"name": t["name"]} for t in body.get("tools", []) for our in OUR_TOOLS if t["name"].endswith(our)}
        blocks = [b for m in body["messages"] if isinstance(m["content"], list) for b in m["content"]]
        received = [_from_anthropic(block["content"]) for block in blocks if block["type"] == "tool_result"]
        if call := self.model.next_call(tools, received):
            block = {"type": "tool_use", "id": f"toolu_{len(received)}", "input": {}} | call[0]
            delta, stop = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}, "tool_use"
        else:
            block, delta, stop = {"type": "text", "text": ""}, {"type": "text_delta", "text": "Done."}, "end_turn"
        message = {
            "id": f"msg_{len(received)}", "type": "message", "role": "assistant", "model": body["model"], "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip
        if body.get("stream"):
            end = {"stop_reason": stop, "stop_sequence": None}
            self._answer_events(
                {"type": "message_start", "message": message},
                {"type": "content_block_start", "index": 0, "content_block": block},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}},
                {"type": "message_stop"},
            )
        else:
            whole = block | ({"input": call[1]} if call else {"text": "Done."})
            self._answer_json(message | {"content": [whole], "stop_reason": stop})

    # -- OpenAI's Responses -----------------------------------------------------------------------------------

    def _openai(self, body: dict) -> None:
        outputs = [item for item in body["input"] if item.get("type") == "function_call_output"]
        received = [_from_openai(item["output"]) for item in outputs]
        if call := self.model.next_call(_openai_tools(body.get("tools", [])), received):
            number = len(received)
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}"} | call[0]
            item["arguments"] = json.dumps(call[1])
        else:
            text = {"type": "output_text", "text": "Done."}
            item = {"type": "message", "id": "msg", "role": "assistant", "content": [text]}
        usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None}
        response = {"id": "resp", "object": "response", "status": "completed", "output": [item]}
        self._answer_events(
            {"type": "response.created", "response": {"id": "resp"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response | {"usage": usage | {"total_tokens": 2}}},
        )

    # -- HTTP -------------------------------------------------------------------------------------------------

    def _answer_events(self, *events: dict) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def _answer_json(self, value: dict) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_) -> None:
        pass


def _from_anthropic(content: str | list[dict]) -> Received:
    if isinstance(content, str):
        return Received(content)
    images = [item["source"] for item in content if item["type"] == "image"]
    return Received(
        "\n".join(item["text"] for item in content if item["type"] == "text"),
        [(image["media_type"], image["data"]) for image in images],
    )


def _from_openai(output: str | list[dict]) -> Received:
    if isinstance(output, str):
        return Received(output)
    images = [item["image_url"] for item in output if item["type"] == "input_image"]
    return Received(
        "\n".join(item["text"] for item in output if item["type"] == "input_text"),
        [(head.removeprefix("data:"), data) for head, _, data in (url.partition(";base64,") for url in images)],
    )


def _openai_tools(tools: list[dict]) -> dict[str, dict]:
    """Tools of a server are functions in a namespace of its name."""
    spaces = [tool for tool in tools if tool["type"] == "namespace"]
    return {
        function["name"]: {"name": function["name"], "namespace": space["name"]}
        for space in spaces
        for function in space["tools"]
        if function["name"] in OUR_TOOLS
    }
