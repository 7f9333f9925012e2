"""What must hold after a run, each with what is wrong with it."""

import re
import time
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

from harness.engine import containers, docker_works, volumes
from harness.figures import percentile
from harness.results import ToolResult
from harness.survivors import SETTLE_SECONDS, Snapshot, Whereabouts
from soak.desk import FAILED, INTERRUPTED, Desk
from soak.disturbances import LEAST_SECONDS, Schedule
from soak.sampling import Sampler
from soak.seats import CRASHED, Fleet, Life

# The share of a life in which a server still loads classes, fills its pool and compiles its own code.
WARM_UP = 0.2
# What is measured of a server, by how much its median may grow from the first third after that to the last, and why.
GROWTH = {
    "rss": (24, "MB; twice the 12 MB of garbage after which the server collects: 1,000 calls that leave 25 KB each"),
    "anonymous": (24, "MB; the same without the JAR and the JVM's own files"),
    "threads": (6, "one for each call of its agents, and the pool's, come and go"),
    "descriptors": (24, "up to six for each sandbox that runs or waits"),
    "processes": (30, "sandboxes that run or wait, up to five processes each"),
}
# Bytes that are reachable: the buffers of nine sandboxes that run or wait, and what is remembered of environments.
HEAP_GROWTH = 5 << 20
LEAST_LIFE = 0.5


def verdict(fleet: Fleet, desk: Desk, schedule: Schedule, sampler: Sampler, left: list[str], ends: list[str]) -> dict:
    """The problems by what should hold; an empty list is a pass."""
    return {
        "every call is answered as it must be": answered(desk),
        "no call is lost and none is answered twice": lost(desk, fleet),
        "only what we ended was interrupted": interrupted(desk, fleet, schedule),
        "every disturbance is overcome": [
            f"{event.name} of {event.seat}: {problem}" for event in schedule.done for problem in event.problems
        ],
        "the clock was seen to jump": clock_jumped(fleet, schedule),
        "memory and handles stay flat": [line for life in fleet.lives for line in grown(life, desk)],
        "caches stay within their bounds": caches_grown(sampler),
        "every server ends when asked": ends,
        "nothing runs after its call": [f"{token}: {line}" for token, line in sampler.overdue.items()],
        "nothing is left": left,
    }


def answered(desk: Desk) -> list[str]:
    return [f"{r.kind} {r.number} at {r.seat}: {r.note}" for r in desk.records if r.outcome == FAILED]


def lost(desk: Desk, fleet: Fleet) -> list[str]:
    numbers = Counter(record.number for record in desk.records)
    problems = [f"call {number} has no end" for number in range(desk.given) if not numbers[number]]
    for life in fleet.lives:
        server = life.server
        problems += [f"{life.name}: an answer to nothing: {message}" for message in list(server.unclaimed.queue)]
        # A refusal and the cancelling of the same call may cross each other; a script that sleeps gives no other answer.
        late = [message for message in server.late_answers if not may_be_late(life, ToolResult(message["result"]), fleet)]
        problems += [f"{life.name}: answered though cancelled: {message}" for message in late]
        # Whoever is killed may be in the middle of a line.
        problems += [f"{life.name}: {line}" for line in server.violations[: -1 if life.doomed == "SIGKILL" else None]]
    return problems


def may_be_late(life: Life, result: ToolResult, fleet: Fleet) -> bool:
    """A server that is asked to end calls its running calls cancelled, too."""
    return bool(life.doomed and result.status == "cancelled") or bool(fleet[life.seat].excused(result))


def interrupted(desk: Desk, fleet: Fleet, schedule: Schedule) -> list[str]:
    problems = [f"{life.name} ended by itself: {life.server.stderr[-2000:]}" for life in fleet.lives if life.doomed == CRASHED]
    counts = Counter(record.seat for record in desk.records if record.outcome == INTERRUPTED)
    for name, count in counts.items():
        ends = sum(1 for life in fleet[name].lives if life.doomed)
        if count > ends * fleet[name].agents:
            problems.append(f"{count} calls at {name}, where {fleet[name].agents} agents saw {ends} ends")
    return problems


def clock_jumped(fleet: Fleet, schedule: Schedule) -> list[str]:
    """By the names of the folders in which the server keeps files: the time of day when each was made."""
    names = [path.name for path in fleet.kept.iterdir()] if fleet.kept.is_dir() else []
    times = [datetime.strptime(name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=timezone.utc) for name in names]
    now = datetime.now(timezone.utc)
    problems = []
    for event in (event for event in schedule.done if event.name.startswith("clock") and event.name != "clock right"):
        expected = now + timedelta(hours=float(re.search(r"[+-]\d+", event.name)[0]))
        if not any(abs(found - expected) < timedelta(hours=1) for found in times):
            problems.append(f"no file was kept at the time of {event.name}")
    return problems


def thirds(life: Life, desk: Desk) -> tuple[list[dict], list[dict]] | None:
    """The samples of the first third after the warm-up and of the last, of a server that lived long enough."""
    end = max((record.ended for record in desk.records), default=0)
    samples = [sample for sample in life.samples if sample["at"] <= end]
    # Who came later is compared to itself while it warms up.
    if life.number > 1 or not samples or samples[-1]["at"] - samples[0]["at"] < max(LEAST_SECONDS, LEAST_LIFE * end):
        return None
    settled = samples[int(len(samples) * WARM_UP) :]
    third = len(settled) // 3
    return (settled[:third], settled[-third:]) if third else None


def medians(life: Life, desk: Desk) -> dict[str, tuple[float, float]]:
    if not (parts := thirds(life, desk)):
        return {}
    return {name: tuple(percentile([sample[name] for sample in part], 0.5) for part in parts) for name in GROWTH}


def grown(life: Life, desk: Desk) -> list[str]:
    problems = [
        f"{life.name}: {name} from {first:.0f} to {last:.0f}, more than {GROWTH[name][0]} {GROWTH[name][1]}"
        for name, (first, last) in medians(life, desk).items()
        if last - first > GROWTH[name][0]
    ]
    heaps = [heap for _, heap in life.heaps if heap]
    if len(heaps) > 1 and (more := heaps[-1]["Total"] - heaps[0]["Total"]) > HEAP_GROWTH:
        by_class = {name: heaps[-1][name] - heaps[0].get(name, 0) for name in heaps[-1] if name != "Total"}
        most = sorted(by_class.items(), key=lambda each: -each[1])[:5]
        problems.append(f"{life.name}: {more >> 10} KB more are reachable than before: {most}")
    return problems


def caches_grown(sampler: Sampler) -> list[str]:
    """What is in use may not go, and installs go on while there is trimming: twice the bound is too much."""
    bounds = {"shared": 800, "none": 800, "disk": 96}
    worst = {name: max(sample.get(name, 0) for sample in sampler.caches) for name in bounds}
    return [f"{name}: {size:.0f} MB" for name, size in worst.items() if size > bounds[name]]


def before(fleet: Fleet) -> dict[Path, Snapshot]:
    return {cache: Whereabouts(fleet.temporary, cache).snapshot() for cache in fleet.caches.values()}


def leftovers(fleet: Fleet, snapshots: dict[Path, Snapshot]) -> list[str]:
    """What is there after all servers have ended and was not before them."""
    left = []
    for cache, snapshot in snapshots.items():
        left += Whereabouts(fleet.temporary, cache).added_since(snapshot, besides=("cached",))
        left += [f"half made: {path}" for path in stages(cache)]
        left += [f"not whole: {path}" for path in broken_environments(cache)]
        left += [f"lock held: {line}" for line in locks_held(cache)]
    for temporary in fleet.temporaries:
        left += [f"temporary: {path}" for path in temporary.iterdir()]
        left += [f"socket: {line}" for line in Path("/proc/net/unix").read_text().splitlines() if str(temporary) in line]
        if "docker" in fleet and docker_works():
            left += [f"container: {each}" for each in settled(lambda: containers(temporary))]
            left += [f"volume: {each}" for each in volumes(temporary)]
    return sorted(set(left))


def settled(find) -> list[str]:
    deadline = time.monotonic() + SETTLE_SECONDS
    while (found := find()) and time.monotonic() < deadline:
        time.sleep(0.5)
    return found


def stages(cache: Path) -> list[Path]:
    folders = [cache / "install", cache / "builds"]
    return [path for folder in folders if folder.is_dir() for path in folder.iterdir() if re.fullmatch("[0-9a-f]{32}", path.name)]


def broken_environments(cache: Path) -> list[str]:
    """Environments without what makes them one, or without a file that a package in them lists."""
    broken = []
    for environment in (cache / "environments").glob("*"):
        if not (environment / "pyvenv.cfg").is_file():
            broken.append(f"{environment}: no pyvenv.cfg")
        for record in environment.glob("lib/*/site-packages/*.dist-info/RECORD"):
            packages = record.parents[1]
            names = [line.rsplit(",", 2)[0].strip('"') for line in record.read_text().splitlines() if line]
            missing = [name for name in names if not name.endswith(".pyc") and not (packages / name).exists()]
            broken += [f"{environment}: {record.parent.name} lacks {missing[:3]}"] if missing else []
    return broken


def locks_held(cache: Path) -> list[str]:
    file = cache / "locks" / "all"
    if not file.exists():
        return []
    number = f":{file.stat().st_ino} "
    return [line for line in Path("/proc/locks").read_text().splitlines() if number in line]
