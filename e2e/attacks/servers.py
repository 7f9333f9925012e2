"""The servers that attacks are sent to, by the name that an attack's `server` line gives."""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# Not a value of an option, which anyone may see: both are in the server's environment.
ENV_SECRET = "value-of-env-7f3a91c2"
INDEX_PASSWORD = "index-password-5d20be84"


@dataclass(frozen=True)
class Variant:
    """How a server differs from the usual one: more options, and variables that may depend on the index's address.

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


SERVERS = {
    "": Variant(),
    "allow-host": Variant(("--allow-host=allowed.invalid",)),
    "secrets": Variant(("--env=ATTACK_SECRET",), secrets),
    "data": Variant(("--mount=@WORK@/data",), prepare=data_folder),
}
