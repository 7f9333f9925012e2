"""Runs many agents against several servers and disturbs the servers while they work."""

import argparse
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness.engine import PROVISION, docker_works
from harness.installation import REPOSITORY, Installation
from harness.junit import write_junit
from soak.calls import LARGE, PlannedCall, six
from soak.workload import Workload
from soak.disturbances import END_SECONDS, Schedule
from soak.report import summary, write
from soak.sampling import Sampler
from soak.fleet import Fleet, ServerSlot
from soak.checks import before, leftovers, check_all

# Ten seconds after its start a server deletes what killed servers left.
SWEPT_SECONDS = 15


def warm_up(fleet: Fleet) -> None:
    """Starts the servers and makes the common environments, so that the run begins without many installs at once."""
    call_each(fleet)
    for kind in LARGE:
        if kind in fleet.slots[0].mix:
            kind(fleet.slots[0].instance().server, PlannedCall(0, 0))


def call_each(fleet: Fleet) -> None:
    """Makes one good call in every slot, starting servers where needed; building a docker image takes minutes."""

    def call(slot: ServerSlot) -> None:
        server = slot.instance().server
        server.run("pass", timeout=1500).expect("ok")
        six(server, PlannedCall(0, 0))

    with ThreadPoolExecutor(len(fleet.slots)) as callers:
        list(callers.map(call, fleet.slots))


def end_well(fleet: Fleet, workload: Workload) -> None:
    """Checks that every slot works at the end, and waits until new servers have deleted what killed ones left."""
    call_each(fleet)
    youngest = max(slot.instances[-1].begun for slot in fleet.slots)
    time.sleep(max(0.0, youngest + SWEPT_SECONDS - workload.now()))


def end_all(fleet: Fleet) -> list[str]:
    problems = []
    for instance in fleet.instances:
        if not instance.ended_by:
            instance.ended_by = "end of run"
            try:
                instance.server.close(END_SECONDS)
            except AssertionError as failure:
                problems.append(f"{instance.name}: {failure}")
        elif instance.server.process.poll() is None:
            problems.append(f"{instance.name} still runs after {instance.ended_by}")
            instance.server.kill()
    return problems


def sweep(fleet: Fleet) -> None:
    """Starts and ends one more server, because each start deletes what killed servers left."""
    slot = fleet.slots[0]
    server = slot.instance().server
    server.run("pass", timeout=240).expect("ok")
    slot.expect_end("end of run")
    server.close(END_SECONDS)


class Engine:
    """A docker engine for the run: one that already runs, or one that is started and stopped here."""

    def __init__(self, wanted: bool):
        self.place = os.environ.get("E2E_DOCKER_PLACE")
        self._own = ""
        if wanted and not docker_works() and os.getuid() == 0:
            self._own = f"/tmp/e2e-docker-{os.getpid()}"
            cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "python-sandbox-e2e"
            started = subprocess.run([PROVISION, "start", cache, self._own], stdout=subprocess.PIPE, text=True)
            if started.returncode == 0:
                os.environ["DOCKER_HOST"] = started.stdout.strip()
                self.place = self._own
        self.works = wanted and docker_works()

    def stop(self) -> None:
        if self._own:
            subprocess.run([PROVISION, "stop", self._own], check=True)


def soak(options: argparse.Namespace, engine: Engine) -> int:
    workload = Workload(options.calls, options.minutes * 60, options.seed, options.at_most * 60)
    fleet = Fleet(Installation.from_environment(), workload, engine.works, large=not options.short)
    try:
        snapshots = before(fleet)
        schedule, sampler = Schedule(fleet, workload, engine.place), Sampler(fleet, workload)
        try:
            taken = run(fleet, workload, schedule, sampler)
        finally:
            ends = end_all(fleet)
        sweep(fleet)
        found = check_all(fleet, workload, schedule, sampler, leftovers(fleet, snapshots), ends)
    finally:
        fleet.close()
    write(options.out, summary(workload, schedule, fleet, sampler, found, taken), workload)
    if options.junitxml:
        write_junit(options.junitxml, "soak", [("run", name, problems) for name, problems in found.items()])
    return 1 if any(found.values()) else 0


def run(fleet: Fleet, workload: Workload, schedule: Schedule, sampler: Sampler) -> float:
    """The run itself; returns its duration in seconds."""
    warm_up(fleet)
    agents = [threading.Thread(target=slot.work, daemon=True) for slot in fleet.slots for _ in range(slot.agents)]
    print(f"{workload.calls} calls by {len(agents)} agents to {len(fleet.slots)} servers", flush=True)
    workload.open()
    for each in (sampler, schedule, *agents):
        each.start()
    for agent in agents:
        agent.join()
    taken = workload.now()
    schedule.wait()
    sampler.stop()
    end_well(fleet, workload)
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(prog="e2e/soak/run")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--at-most", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "target/soak")
    parser.add_argument("--junitxml", type=Path)
    options = parser.parse_args()
    engine = Engine(not options.short)
    try:
        return soak(options, engine)
    finally:
        engine.stop()


if __name__ == "__main__":
    sys.exit(main())
