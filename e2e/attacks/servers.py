"""The servers for attacks. The line `server` of an attack names one."""

import os
import socket
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.upstream import Upstream

# Both are in the server's environment, not in its options, which every user can see.
ENV_SECRET = f"env{uuid.uuid4().hex}"
INDEX_PASSWORD = f"pw{uuid.uuid4().hex}"


@dataclass(frozen=True)
class Variant:
    """How a server differs from the default: more options, and variables that may depend on the index's address.

    @WORK@ in an option is the run's own folder, which `prepare` may fill before the server starts.
    """

    options: tuple[str, ...] = ()
    environment: Callable[[str], dict[str, str]] = lambda index: {}
    prepare: Callable[[Path], None] = lambda work: None

    def options_in(self, work: Path) -> list[str]:
        self.prepare(work)
        return [option.replace("@WORK@", str(work)) for option in self.options]


def secrets(index: str) -> dict[str, str]:
    return {"ATTACK_SECRET": ENV_SECRET, "UV_DEFAULT_INDEX": index.replace("://", f"://user:{INDEX_PASSWORD}@")}


def data_folder(work: Path) -> None:
    """A folder with a socket on which the runner listens, and a pipe that it reads, both open to everyone."""
    folder = work / "data" / "below"
    folder.mkdir(parents=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "socket"))
    listener.listen()
    os.mkfifo(folder / "pipe")
    os.set_blocking(os.open(folder / "pipe", os.O_RDWR), False)  # held open, so that a writer need not wait
    for name in ("socket", "pipe"):
        (folder / name).chmod(0o666)
    (folder / "file").write_text("plain")
    LISTENERS.append(listener)


LISTENERS: list[socket.socket] = []  # as long as the run


@cache
def upstream() -> Upstream:
    """The upstream proxy of some servers."""
    return Upstream()


def behind_upstream(_: str) -> dict[str, str]:
    return {"HTTP_PROXY": upstream().url, "HTTPS_PROXY": upstream().url, "NO_PROXY": ""}


def with_passwords(index: str) -> dict[str, str]:
    """Credentials in every variable that may contain them."""
    secret = index.replace("://", f"://user:{INDEX_PASSWORD}@")
    return {
        "UV_DEFAULT_INDEX": secret,
        "UV_INDEX": f"named={index}",
        "UV_INDEX_NAMED_USERNAME": "user",
        "UV_INDEX_NAMED_PASSWORD": INDEX_PASSWORD,
        "UV_FIND_LINKS": f"{secret}evil-environ/",
    }


SERVERS = {
    "": Variant(),
    "measured": Variant(),  # for one attack whose check can not tell its work from that of others
    "allow-host": Variant(("--allow-host=allowed.invalid",)),
    "secrets": Variant(("--env=ATTACK_SECRET",), secrets),
    "data": Variant(("--mount=@WORK@/data",), prepare=data_folder),
    "index password": Variant(environment=with_passwords),
    "upstream": Variant(environment=behind_upstream),
    "upstream allow-host": Variant(
        ("--allow-host=allowed.invalid", "--allow-host=*.allowed.invalid"), environment=behind_upstream
    ),
    "small-cache": Variant(("--max-cache-size=256m",)),
    "waiting": Variant(),
    "large-folders": Variant(("--tmp-size=512m", "--max-memory=2g")),
    "package-age": Variant(("--package-age=30",)),
}
