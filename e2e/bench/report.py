"""Tables, JSON and a picture of what was measured."""

import json
from pathlib import Path

from bench.picture import picture
from harness.figures import percentile

TITLES = {
    "start": "spawn → tools/list", "first": "spawn → first result", "first_later": "first result, 3 s after the start",
    "run": 'run "print(1)"',
    "hello": "hello", "http": "hello by HTTP", "many_clients": "128 hellos of 64 clients",
    "container": "hello in a container", "six": "six, repeated",
    "pandas": "pandas, environment there", "one_line": "pandas on one line",
    "models": "scikit-learn and statsmodels, environment there",
    "plot": "numpy + matplotlib plot", "new_set": "new set, warm download cache",
    "new_large_set": "first call of a new set, pandas and matplotlib", "next_calls": "the next two calls, no pause",
    "downloads": "pandas and matplotlib, nothing downloaded",
    "parallel": "16 hellos at once", "output": "1 GB of output",
    "cpu": "processor time of a hello", "loop": "hello, clients without a pause: per call",
    "pandas_loop": "pandas, clients without a pause: per call", "burst": "pandas calls at once after idling",
    "busy": "one processor second beside two loops per processor",
}  # fmt: skip


def summary(values: list[float]) -> dict:
    return {"median_ms": percentile(values, 0.5) * 1000, "p95_ms": percentile(values, 0.95) * 1000, "n": len(values)}


def print_row(row: str, figures: dict[str, dict]) -> None:
    print(f"\n{TITLES[row]}\n  {'':<18}{'median ms':>10}{'p95 ms':>10}{'n':>5}{'× ours':>8}", flush=True)
    ours = ("native", "this", "docker", "launcher", "native, no pool", *figures)
    base = next(figures[name] for name in ours if name in figures)["median_ms"]
    for name, figure in figures.items():
        ratio = figure["median_ms"] / base
        print(f"  {name:<18}{figure['median_ms']:>10.1f}{figure['p95_ms']:>10.1f}{figure['n']:>5}{ratio:>8.2f}", flush=True)


def goals(rows: dict, memory: dict, output: dict) -> list[tuple[str, float, str, bool]]:
    """The goals: description, figure, bound, and whether it is met. Goals that were not measured are left out."""
    found = []

    def at_most(sentence: str, figure: float, bound: float) -> None:
        found.append((sentence, figure, f"≤ {bound}", figure <= bound))

    def at_least(sentence: str, figure: float, bound: float) -> None:
        found.append((sentence, figure, f"≥ {bound}", figure >= bound))

    def ratio(row: str, one: str, other: str) -> float | None:
        try:
            return rows[row][one]["median_ms"] / rows[row][other]["median_ms"]
        except KeyError:
            return None

    for sentence, row, one, other, check, bound in (
        ("spawn → tools/list ÷ hello-world JVM", "start", "this", "hello JVM", at_most, 2.5),
        ("spawn → tools/list, previous ÷ this", "start", "previous", "this", at_least, 12),
        ("run through the launcher ÷ uv run", "run", "launcher", "uv run", at_most, 6),
        ("hello, native, pool ÷ uv run", "hello", "native", "uv run", at_most, 0.25),
        ("the same with the client entries' flags", "hello", "native, flags", "uv run", at_most, 0.25),
        ("hello, native, pool ÷ python", "hello", "native", "python", at_most, 0.6),
        ("hello, native, no pool ÷ uv run", "hello", "native, no pool", "uv run", at_most, 1.0),
        ("the same with the client entries' flags", "hello", "native, flags, no pool", "uv run", at_most, 1.1),
        ("hello by HTTP ÷ by stdio", "http", "native, HTTP", "native", at_most, 1.15),
        ("64 clients, time by HTTP ÷ by stdio", "many_clients", "native, HTTP", "native", at_most, 1.11),
        ("hello, docker, pool ÷ docker run", "container", "docker", "docker run", at_most, 0.5),
        ("hello, docker, no pool ÷ docker run", "container", "docker, no pool", "docker run", at_most, 1.3),
        ("pandas, native, pool ÷ python", "pandas", "native", "python", at_most, 0.3),
        ("pandas, one line ÷ two lines", "one_line", "native", "native, two lines", at_most, 1.1),
        ("scikit-learn and statsmodels, native, pool ÷ python", "models", "native", "python", at_most, 0.1),
        ("pandas, previous ÷ native, pool", "pandas", "previous", "native", at_least, 15),
        ("six, previous ÷ native, pool", "six", "previous", "native", at_least, 8),
        ("new set of small packages ÷ previous", "new_set", "native", "previous", at_most, 1.0),
        ("new set, wheels compiled ÷ uv run", "new_large_set", "native", "uv run", at_most, 0.5),
        ("new set, wheels not compiled ÷ uv run", "new_large_set", "native, wheels not compiled", "uv run", at_most, 1.2),
        ("the next calls ÷ uv run", "next_calls", "native", "uv run", at_most, 0.3),
        ("16 at once, previous ÷ native, pool", "parallel", "previous", "native", at_least, 2),
        ("CPU per hello ÷ python", "cpu", "native", "python", at_most, 1.5),
        ("hellos per second, 1 client ÷ python", "loop", "python, 1", "native, 1", at_least, 0.9),
        ("hellos per second, 16 clients ÷ python", "loop", "python, 16", "native, 16", at_least, 1.3),
        ("32 pandas calls after idling ÷ python", "burst", "native, 32", "python, 32", at_most, 0.5),
        ("a CPU second on a busy machine ÷ python", "busy", "native", "python", at_most, 1.15),
        ("pandas, native, no pool ÷ python", "pandas", "native, no pool", "python", at_most, 1.1),
        ("1 GB of output ÷ python alone", "output", "native, no pool", "python", at_most, 2.0),
    ):
        figure = ratio(row, one, other)
        if figure is not None:
            check(sentence, figure, bound)
    if "launcher" in rows.get("first", {}):
        at_most("spawn → first result, launcher, ms", rows["first"]["launcher"]["median_ms"], 450)
    if "none, no pool" in rows.get("hello", {}):
        hello = rows["hello"]
        isolation = hello["native, no pool"]["median_ms"] - hello["none, no pool"]["median_ms"]
        at_most("hello, native − none, no pool: isolation, ms", isolation, 15)
    if output:
        at_most("1 GB of output, memory grown, MB", output["grown"], 16)
    if memory:
        at_most("resident when started, README's flags, MB", memory["started"], 70)
        at_most("resident when idle again, MB", memory["idle again"], 70)
        at_most("CPU while idle, %", memory["idle CPU %"], 0.2)
    return found


def write(folder: Path, rows: dict, memory: dict, output: dict, sets: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    reached = goals(rows, memory, output)
    for title, values in (("memory, MB", memory), ("1 GB of output, MB", output), ("1,000 calls over 50 sets", sets)):
        if values:
            print(f"\n{title}")
            for name, value in values.items():
                print(f"  {name:<40}{value if isinstance(value, tuple) else format(value, '.1f')}")
    print(f"\n{'goal':<46}{'figure':>8}  {'bound':<8}")
    for sentence, figure, bound, met in reached:
        print(f"{sentence:<46}{figure:>8.2f}  {bound:<8}{'met' if met else 'MISSED'}")
    content = {"rows": rows, "memory_mb": memory, "output_mb": output, "sets": sets,
               "goals": [dict(zip(("goal", "figure", "bound", "met"), goal)) for goal in reached]}  # fmt: skip
    (folder / "bench.json").write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    (folder / "bench.svg").write_text(picture(rows))
    print(f"\n{folder}/bench.json, {folder}/bench.svg")
