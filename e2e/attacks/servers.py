"""The servers that attacks are sent to, by the name that an attack's `server` line gives."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """How a server differs from the usual one: more options, and variables that may depend on the index's address."""

    options: tuple[str, ...] = ()
    environment: Callable[[str], dict[str, str]] = lambda index: {}


SERVERS = {
    "": Variant(),
    "allow-host": Variant(("--allow-host=allowed.invalid",)),
}
