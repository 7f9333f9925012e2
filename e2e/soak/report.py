"""The table, the report, the JSON and the picture of a run."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

from harness.figures import label, percentile, svg
from soak.workload import FAILED, GOOD, INTERRUPTED, REFUSED, Record, Workload
from soak.disturbances import Schedule
from soak.sampling import Sampler
from soak.fleet import Fleet
from soak.checks import GROWTH, HEAP_GROWTH, medians

OUTCOMES = (GOOD, INTERRUPTED, REFUSED, FAILED)
COLOURS = ["#0969da", "#1a7f37", "#8250df", "#bf8700", "#cf222e", "#6e7781", "#0a7ea4", "#953800"]
WIDTH, LEFT, RIGHT, PANEL = 1000, 60, 130, 150
SHOWN_PROBLEMS = 20


def rows_by(records: list[Record], key: Callable[[Record], str]) -> dict[str, dict]:
    """Calls by outcome, and the milliseconds that the good ones took."""
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[key(record)].append(record)
    found = {}
    for name, group in sorted(groups.items(), key=lambda each: -len(each[1])):
        counts = Counter(record.outcome for record in group)
        times = [record.taken * 1000 for record in group if record.outcome == GOOD]
        found[name] = {"calls": len(group)} | {outcome: counts[outcome] for outcome in OUTCOMES}
        found[name] |= {f"p{share}": percentile(times, share / 100) if times else 0.0 for share in (50, 95, 99)}
    return found


def summary(workload: Workload, schedule: Schedule, fleet: Fleet, sampler: Sampler, found: dict, taken: float) -> dict:
    return {
        "seconds": taken,
        "calls": len(workload.records),
        "agents": sum(slot.agents for slot in fleet.slots),
        "servers": len(fleet.instances),
        "seed": workload.seed,
        "all": rows_by(workload.records, lambda record: "all").get("all", {}),
        "kinds": rows_by(workload.records, lambda record: record.kind),
        "slots": rows_by(workload.records, lambda record: record.slot),
        "disturbances": [vars(event) for event in schedule.done],
        "refusals": {
            slot.name: sorted({text for allowed in slot.allowed_refusals for text in allowed.texts}) for slot in fleet.slots
        },
        "memory": {each.name: medians(each, workload) for each in fleet.instances if medians(each, workload)},
        "live_heap": {each.name: [[at, heap["Total"]] for at, heap in each.heaps if heap] for each in fleet.instances},
        "caches_mb": sampler.caches,
        "samples": {instance.name: instance.samples for instance in fleet.instances},
        "verdict": found,
    }  # fmt: skip


def table(content: dict) -> str:
    """All figures of a run as Markdown."""
    whole = content["all"]
    lines = [
        f"{content['calls']:,} calls by {content['agents']} agents to {content['servers']} servers"
        f" in {content['seconds']:.0f} s ({content['calls'] / content['seconds']:.1f} a second):"
        f" {whole[GOOD]:,} good, {whole[INTERRUPTED]} interrupted by the end of their server,"
        f" {whole[REFUSED]} refused with the reason while it lasted, {whole[FAILED]} failed.",
        "",
    ]
    for title, rows in (("kind", content["kinds"]), ("server", content["slots"])):
        columns = ["calls", *OUTCOMES, "p50", "p95", "p99"]
        lines += markdown([title, *columns[:5], "p50 ms", "p95 ms", "p99 ms"],
                          [[name, *(f"{row[column]:.0f}" for column in columns)] for name, row in rows.items()])  # fmt: skip
    lines += markdown(
        ["at s", "disturbance", "server", "lasted s", "good again after s"],
        [[f"{event['at']:.0f}", event["name"], event["slot"], f"{event['over'] - event['at']:.1f}",
          "-" if event["recovered"] is None else f"{event['recovered']:.1f}"] for event in content["disturbances"]],
    )  # fmt: skip
    memory = []
    for name, figures in content["memory"].items():
        heaps = [total / (1 << 20) for _, total in content["live_heap"][name]]
        heap = f"{heaps[0]:.1f} → {heaps[-1]:.1f}" if heaps else "-"
        memory.append([name, *(f"{figures[each][0]:.0f} → {figures[each][1]:.0f}" for each in GROWTH), heap])
    units = {"rss": "RSS MB", "anonymous": "anonymous MB"}
    lines += markdown(["median, first → last third", *(units.get(each, each) for each in GROWTH), "live heap MB"], memory)
    lines += markdown(["what must hold", ""], [[name, f"{len(problems)} problems" if problems else "holds"]
                                                for name, problems in content["verdict"].items()])  # fmt: skip
    return "\n".join(lines)


def markdown(heads: list[str], rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]

    def line(cells: list[str]) -> str:
        padded = [cell.ljust(width) if not column else cell.rjust(width) for column, (cell, width) in enumerate(zip(cells, widths))]
        return f"| {' | '.join(padded)} |"

    rule = [("-" * width) if not column else ("-" * (width - 1) + ":") for column, width in enumerate(widths)]
    return [line(heads), line(rule), *map(line, rows), ""]


def write(folder: Path, content: dict, workload: Workload) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "soak.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    (folder / "soak.svg").write_text(picture(content, workload))
    bounds = [f"- {name}: at most {bound} more; {why}" for name, (bound, why) in GROWTH.items()]
    bounds.append(f"- live heap: at most {HEAP_GROWTH >> 20} MB more after a full collection")
    refusals = [f"- {slot}: {text.splitlines()[0][:300]}" for slot, texts in content["refusals"].items() for text in texts]
    parts = ["# Soak", table(content), "![calls, latency and memory over time](soak.svg)", "",
             "## How much may grow", *bounds, "", "## Messages of refused calls", *sorted(set(refusals))]  # fmt: skip
    problems = [f"- {name}: {problem}" for name, each in content["verdict"].items() for problem in each]
    parts += ["", "## Problems", *problems] if problems else []
    (folder / "soak.md").write_text("\n".join(parts) + "\n")
    print(table(content))
    for problem in problems[:SHOWN_PROBLEMS]:
        print(problem[:600])
    print(f"{folder}/soak.md, {folder}/soak.json, {folder}/soak.svg")


class Panel:
    """A diagram over the time of the run, below others."""

    def __init__(self, number: int, title: str, seconds: float, bottom: float, top: float, logarithmic: bool = False):
        self.y = 40 + number * (PANEL + 50)
        self._seconds, self._logarithmic = seconds, logarithmic
        self._bottom, self._top = self._scaled(bottom), self._scaled(top)
        self.parts = [label(LEFT, self.y - 8, title, font_weight="bold")]
        ticks = [10.0**power for power in range(6) if bottom <= 10**power <= top] if logarithmic else [bottom, (bottom + top) / 2, top]
        for tick in ticks:
            height = self.height(tick)
            self.parts.append(f'<path d="M{LEFT},{height:.1f}H{WIDTH - RIGHT}" stroke="#d0d7de"/>')
            self.parts.append(label(LEFT - 6, height + 4, f"{tick:.0f}", text_anchor="end"))

    def _scaled(self, value: float) -> float:
        return math.log10(max(value, 1e-3)) if self._logarithmic else value

    def height(self, value: float) -> float:
        share = (self._scaled(value) - self._bottom) / ((self._top - self._bottom) or 1)
        return self.y + PANEL * (1 - min(1.0, max(0.0, share)))

    def place(self, second: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * second / self._seconds

    def line(self, points: list[tuple[float, float]], colour: str) -> None:
        path = " ".join(f"{self.place(at):.1f},{self.height(value):.1f}" for at, value in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.4"/>')

    def key(self, number: int, words: str, colour: str) -> None:
        self.parts.append(label(WIDTH - RIGHT + 8, self.y + 12 + 15 * number, words, fill=colour))

    def mark(self, second: float) -> None:
        x = self.place(second)
        self.parts.append(f'<path d="M{x:.1f},{self.y}v{PANEL}" stroke="#cf222e" stroke-dasharray="3 3" opacity="0.6"/>')


def picture(content: dict, workload: Workload) -> str:
    """Calls a second, latency and memory, with the disturbances marked."""
    seconds = max(content["seconds"], 1)
    slot = max(1.0, seconds / 120)
    slots: dict[int, list[float]] = defaultdict(list)
    for record in workload.records:
        if record.outcome == GOOD:
            slots[int(record.ended / slot)].append(record.taken * 1000)
    rates = [((number + 0.5) * slot, len(slots[number]) / slot) for number in range(math.ceil(seconds / slot))]
    calls = Panel(0, "calls answered a second", seconds, 0, math.ceil(max(rate for _, rate in rates)))
    calls.line(rates, COLOURS[0])
    latency = Panel(1, "latency of calls, ms (logarithmic)", seconds, 1, 100_000, logarithmic=True)
    for number, share in enumerate((50, 95, 99)):
        points = [((slot_number + 0.5) * slot, percentile(times, share / 100)) for slot_number, times in sorted(slots.items()) if times]
        latency.line(points, COLOURS[number])
        latency.key(number, f"p{share}", COLOURS[number])
    highest = max((sample["rss"] for samples in content["samples"].values() for sample in samples), default=1)
    memory = Panel(2, "resident memory of each server, MB", seconds, 0, math.ceil(highest / 50) * 50)
    slots = list(dict.fromkeys(name.split(" (")[0] for name in content["samples"]))
    for name, samples in content["samples"].items():
        memory.line([(sample["at"], sample["rss"]) for sample in samples if sample["at"] <= seconds], COLOURS[slots.index(name.split(" (")[0]) % 8])
    for number, slot in enumerate(slots):
        memory.key(number, slot, COLOURS[number % 8])
    parts = []
    for panel in (calls, latency, memory):
        for event in content["disturbances"]:
            panel.mark(event["at"])
        parts += panel.parts
    bottom = memory.y + PANEL + 16
    for event in content["disturbances"]:
        x = memory.place(event["at"])
        words = f"{event['name']}, {event['slot']}"
        parts.append(label(x, bottom, words, transform=f"rotate(60 {x:.1f} {bottom})", font_size="11"))
    parts.append(label(LEFT, 18, f"{content['calls']:,} calls in {seconds:.0f} s; dashed: disturbances"))
    return svg(WIDTH, bottom + 140, parts)
