"""Python scripts that several tests run."""


def marked_child(marker: str, seconds: int = 300) -> str:
    """Starts a child with the marker as an argument, which is visible from outside of the sandbox."""
    return (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep({seconds})', {marker!r}])\n"
    )


def sleeping_with_child(marker: str) -> str:
    return marked_child(marker) + "print('started', flush=True)\ntime.sleep(300)\n"


def with_metadata(block: str, body: str) -> str:
    lines = "".join(f"# {line}\n" if line else "#\n" for line in block.splitlines())
    return f"# /// script\n{lines}# ///\n{body}"
