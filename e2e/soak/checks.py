"""The checks after a run; each returns the problems it found."""

import re
import time
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

from harness.engine import containers, docker_works, volumes
from harness.figures import percentile
from harness.results import ToolResult
from harness.survivors import SETTLE_SECONDS, Snapshot, Whereabouts
from soak.workload import FAILED, INTERRUPTED, Workload
from soak.disturbances import LEAST_SECONDS, Schedule
from soak.sampling import Sampler
from soak.fleet import CRASHED, Fleet, ServerInstance

# The share of an instance's time in which a server still loads classes, fills its pool and compiles its own code.
WARM_UP = 0.2
# By how much the median of each measure may grow from the first third after the warm-up to the last third, and why.
GROWTH = {
    "rss": (24, "MB; twice the 12 MB of garbage after which the server collects: 1,000 calls that leave 25 KB each"),
    "anonymous": (24, "MB; the same without the JAR and the JVM's own files"),
    "threads": (6, "one for each call of its agents, and the pool's, come and go"),
    "descriptors": (24, "up to six for each sandbox that runs or waits"),
    "processes": (30, "sandboxes that run or wait, up to five processes each"),
}
# Reachable bytes: the buffers of nine sandboxes that run or wait, and what is cached about environments.
HEAP_GROWTH = 5 << 20
LEAST_SHARE = 0.5


def check_all(
    fleet: Fleet, workload: Workload, schedule: Schedule, sampler: Sampler, left: list[str], ends: list[str]
) -> dict:
    """The problems by check; an empty list is a pass."""
    return {
        "every call is answered as it must be": answered(workload),
        "no call is lost and none is answered twice": lost(workload, fleet),
        "only calls to servers that the test ended were interrupted": interrupted(workload, fleet, schedule),
        "every server recovers from each disturbance": [
            f"{event.name} of {event.slot}: {problem}" for event in schedule.done for problem in event.problems
        ],
        "the server saw the clock jump": clock_jumped(fleet, schedule),
        "memory and handles stay flat": [line for instance in fleet.instances for line in grown(instance, workload)],
        "caches stay within their bounds": caches_grown(sampler),
        "every server ends when asked": ends,
        "nothing runs after its call": [f"{token}: {line}" for token, line in sampler.overdue.items()],
        "nothing is left": left,
    }


def answered(workload: Workload) -> list[str]:
    return [f"{r.kind} {r.number} at {r.slot}: {r.note}" for r in workload.records if r.outcome == FAILED]


def lost(workload: Workload, fleet: Fleet) -> list[str]:
    numbers = Counter(record.number for record in workload.records)
    problems = [f"call {number} has no end" for number in range(workload.given) if not numbers[number]]
    for instance in fleet.instances:
        server = instance.server
        unclaimed = list(server.unclaimed.queue)
        problems += [f"{instance.name}: a response without a request: {message}" for message in unclaimed]
        # A refusal may be sent at the moment at which the client cancels; a script that sleeps has no other result.
        late = [
            message
            for message in server.late_answers
            if not may_be_late(instance, ToolResult(message["result"]), fleet)
        ]
        problems += [f"{instance.name}: answered though cancelled: {message}" for message in late]
        # A killed server may have written half a line.
        whole = server.violations[: -1 if instance.ended_by == "SIGKILL" else None]
        problems += [f"{instance.name}: {line}" for line in whole]
    return problems


def may_be_late(instance: ServerInstance, result: ToolResult, fleet: Fleet) -> bool:
    """A server that shuts down also reports its running calls as cancelled."""
    return bool(instance.ended_by and result.status == "cancelled") or bool(fleet[instance.slot].allowed_reason(result))


def interrupted(workload: Workload, fleet: Fleet, schedule: Schedule) -> list[str]:
    crashed = [instance for instance in fleet.instances if instance.ended_by == CRASHED]
    problems = [f"{instance.name} ended by itself: {instance.server.stderr[-2000:]}" for instance in crashed]
    counts = Counter(record.slot for record in workload.records if record.outcome == INTERRUPTED)
    for name, count in counts.items():
        ends = sum(1 for instance in fleet[name].instances if instance.ended_by)
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


def thirds(instance: ServerInstance, workload: Workload) -> tuple[list[dict], list[dict]] | None:
    """The samples of the first third after the warm-up and of the last, of a server that lived long enough."""
    end = max((record.ended for record in workload.records), default=0)
    samples = [sample for sample in instance.samples if sample["at"] <= end]
    # Only the first server of a slot runs long enough.
    least = max(LEAST_SECONDS, LEAST_SHARE * end)
    if instance.number > 1 or not samples or samples[-1]["at"] - samples[0]["at"] < least:
        return None
    settled = samples[int(len(samples) * WARM_UP) :]
    third = len(settled) // 3
    return (settled[:third], settled[-third:]) if third else None


def medians(instance: ServerInstance, workload: Workload) -> dict[str, tuple[float, float]]:
    if not (parts := thirds(instance, workload)):
        return {}
    return {name: tuple(percentile([sample[name] for sample in part], 0.5) for part in parts) for name in GROWTH}


def grown(instance: ServerInstance, workload: Workload) -> list[str]:
    problems = [
        f"{instance.name}: {name} from {first:.0f} to {last:.0f}, more than {GROWTH[name][0]} {GROWTH[name][1]}"
        for name, (first, last) in medians(instance, workload).items()
        if last - first > GROWTH[name][0]
    ]
    heaps = [heap for _, heap in instance.heaps if heap]
    if len(heaps) > 1 and (more := heaps[-1]["Total"] - heaps[0]["Total"]) > HEAP_GROWTH:
        by_class = {name: heaps[-1][name] - heaps[0].get(name, 0) for name in heaps[-1] if name != "Total"}
        most = sorted(by_class.items(), key=lambda each: -each[1])[:5]
        problems.append(f"{instance.name}: {more >> 10} KB more are reachable than before: {most}")
    return problems


def caches_grown(sampler: Sampler) -> list[str]:
    """Environments in use stay, and installs continue during eviction: only twice the limit is a failure."""
    bounds = {"shared": 800, "none": 800, "disk": 96}
    worst = {name: max(sample.get(name, 0) for sample in sampler.caches) for name in bounds}
    return [f"{name}: {size:.0f} MB" for name, size in worst.items() if size > bounds[name]]


def before(fleet: Fleet) -> dict[Path, Snapshot]:
    return {cache: Whereabouts(fleet.temporary, cache).snapshot() for cache in fleet.caches.values()}


def leftovers(fleet: Fleet, snapshots: dict[Path, Snapshot]) -> list[str]:
    """What exists after all servers have ended and did not exist before."""
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
    """Environments without pyvenv.cfg, or without a file that a package in them lists."""
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
