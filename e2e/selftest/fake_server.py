"""A server that answers just enough to try the harness on; argument: what to do wrong, if anything."""

import json
import sys
import threading
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
_lock = threading.Lock()
_cancelled = set()


def write(message):
    with _lock:
        print(json.dumps({"jsonrpc": "2.0"} | message), flush=True)


def call(request):
    params = request["params"]
    token = params.get("_meta", {}).get("progressToken")
    if token is not None:
        write({"method": "notifications/progress", "params": {"progressToken": token, "progress": 1}})
    time.sleep(params["arguments"].get("sleep", 0))
    if request["id"] in _cancelled and FAULT != "answers-cancelled":
        return
    text = "--- stdout ---\nhi\n--- exit_code: 0 ---\n--- duration_ms: 3 ---"
    structured = {"status": "ok", "stdout": "hi\n", "stderr": "", "exit_code": 0}
    write({"id": request["id"], "result": {"content": [{"type": "text", "text": text}], "structuredContent": structured}})


def handle(line):
    try:
        message = json.loads(line)
    except ValueError:
        write({"id": None, "error": {"code": -32700, "message": "Parse error"}})
        return
    method = message["method"]
    if method == "notifications/cancelled":
        _cancelled.add(message["params"]["requestId"])
    elif method == "tools/call":
        threading.Thread(target=call, args=(message,), daemon=True).start()
    elif method in ("ping", "initialize"):
        write({"id": message["id"], "result": {}})
    elif "id" in message:
        write({"id": message["id"], "error": {"code": -32601, "message": f"Unknown method {method}"}})


if FAULT == "chatty":
    print("Picked up an option", flush=True)
sys.stderr.write("fake server is up\n")
sys.stderr.flush()
for line in sys.stdin.buffer:
    handle(line)
if FAULT == "stays":
    time.sleep(60)
sys.exit(3 if FAULT == "exit-3" else 0)
