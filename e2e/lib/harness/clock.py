"""A clock that jumps, for one server only."""

from pathlib import Path


class Clock:
    """The time of day that one server sees: libfaketime adds the offset in a file. The monotonic clock is unchanged."""

    def __init__(self, file: Path):
        self._file = file
        self.set(0)

    def set(self, hours: float) -> None:
        """Takes effect within a second."""
        self.hours = hours
        new = self._file.with_suffix(".new")
        new.write_text(f"{hours * 3600:+.0f}\n")
        new.rename(self._file)  # so that it is never read half written

    @property
    def environment(self) -> dict[str, str]:
        (library,) = Path("/usr/lib").glob("*/faketime/libfaketime.so.1")
        return {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(self._file), "FAKETIME_CACHE_DURATION": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}  # fmt: skip
