"""Conversations with the server, as files: requests and results, without what differs between runs."""

import asyncio
import base64
import json
import re
from pathlib import Path

from mcp import Client, StdioServerParameters

from harness.results import png_size

FOLDER = Path(__file__).parent
SECONDS = 300

# What differs between two runs.
VOLATILE = [
    (re.compile(r"\n--- install_ms: \d+ ---"), ""),
    (re.compile(r"duration_ms: \d+"), "duration_ms: …"),
    (re.compile(r"\(it used [\d.]+ [KMG]iB\)"), "(it used … MiB)"),
    (re.compile(r"/\d{8}-\d{6}-[0-9a-f]{8}/"), "/RUN/"),
    (re.compile(r"at 0x[0-9a-f]+"), "at 0x…"),
]
VOLATILE_FIELDS = {"duration_ms", "cpu_ms", "peak_memory_bytes", "python_version"}
LONGEST = 1000  # of what is kept of a text


def load() -> dict[str, dict]:
    return {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}


def save(name: str, transcript: dict) -> None:
    (FOLDER / f"{name}.json").write_text(json.dumps(transcript, indent=2, ensure_ascii=False) + "\n")


class Player:
    """Plays transcripts to one server; the folder `images` gets the images, for people to look at."""

    def __init__(self, command: list[str], env: dict[str, str], cwd: Path, places: dict[str, str], images: Path):
        self.parameters = StdioServerParameters(command=command[0], args=command[1:], env=env, cwd=cwd)
        self.places, self.images = places, images
        self.logs: list[str] = []
        self.links: dict[str, str] = {}

    def play(self, transcripts: dict[str, dict]) -> dict[str, list]:
        """For each transcript, the result of each of its steps."""

        async def on_log(message):
            self.logs.append(message.data)

        async def connected():
            async with Client(self.parameters, mode="legacy", logging_callback=on_log) as client:
                return {
                    name: [await asyncio.wait_for(self.step(client, name, step), SECONDS) for step in each["steps"]]
                    for name, each in transcripts.items()
                }

        return asyncio.run(connected())

    async def step(self, client, name: str, step: dict) -> dict:
        if "call" in step:
            return await self.call(client, name, step)
        if "together" in step:
            heard: list[str] = []
            calls = [self.call(client, name, call, heard) for call in step["together"]]
            return {"results": await asyncio.gather(*calls), "heard": heard}
        if "log_level" in step:
            await client.set_logging_level(step["log_level"])
            return {}
        if "describe" in step:
            tools = (await client.list_tools()).tools
            description = next(tool.description for tool in tools if tool.name == step["describe"])
            return {"ends": description.splitlines()[-1]}
        if "read" in step:
            return self.steady((await client.read_resource(self.links[step["read"]])).model_dump(mode="json", exclude_none=True))
        return self.steady((await client.list_resources()).model_dump(mode="json", exclude_none=True))

    async def call(self, client, name: str, step: dict, heard: list[str] | None = None) -> dict:
        heard = [] if heard is None else heard
        self.logs.clear()

        async def on_progress(progress, total, message):
            heard.append(message)

        result = await client.call_tool(step["call"], step["arguments"], progress_callback=on_progress)
        content = [self.content(name, item.model_dump(mode="json", exclude_none=True)) for item in result.content]
        given = {"is_error": bool(result.is_error), "content": content, "structured": self.steady(result.structured_content)}
        return given | {"heard": heard, "logged": list(self.logs)}

    def content(self, name: str, item: dict) -> dict:
        if item["type"] == "image":
            data = base64.b64decode(item["data"])
            width, height = png_size(data)
            number = len(list(self.images.glob(f"{name}-*")))
            (self.images / f"{name}-{number}.png").write_bytes(data)
            # Fonts differ by a pixel or two between machines.
            return {"type": "image", "mime_type": item["mime_type"], "about": f"{round(width, -2)}x{round(height, -2)} pixels"}
        if item["type"] == "resource_link":
            self.links[item["name"]] = item["uri"]
        return self.steady(item)

    def steady(self, value):
        if isinstance(value, dict):
            image = str(value.get("type", "")).startswith("image/")
            return {
                key: "…" if key in VOLATILE_FIELDS or (image and key in ("size", "sha256")) else self.steady(item)
                for key, item in value.items()
                if key != "install_ms"  # an environment may be there already
            }
        if isinstance(value, list):
            return [self.steady(item) for item in value]
        if isinstance(value, str):
            for place, path in self.places.items():
                value = value.replace(path, f"{{{place}}}")
            for pattern, replacement in VOLATILE:
                value = pattern.sub(replacement, value)
            value = re.sub(r"\(\d+ bytes, image/", "(… bytes, image/", value)
            return value if len(value) <= LONGEST else f"{value[:LONGEST]}… ({len(value)} characters)"
        return value
