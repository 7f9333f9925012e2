"""Many agents, several servers, and everything that can happen to them meanwhile."""

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
from soak.calls import LARGE, Ticket, six
from soak.desk import Desk
from soak.disturbances import END_SECONDS, Schedule
from soak.report import summary, write
from soak.sampling import Sampler
from soak.seats import Fleet, Seat
from soak.verdict import before, leftovers, verdict

# Ten after its start a server looks for what dead ones left half made.
SWEPT_SECONDS = 15


def warm_up(fleet: Fleet) -> None:
    """Starts the servers and makes what every agent uses, so that the run does not begin with a crowd of installs."""
    call_each(fleet)
    for kind in LARGE:
        if kind in fleet.seats[0].mix:
            kind(fleet.seats[0].life().server, Ticket(0, 0))


def call_each(fleet: Fleet) -> None:
    """One good call at every seat, by a successor where the last server was ended; a new docker image takes minutes."""

    def call(seat: Seat) -> None:
        server = seat.life().server
        server.run("pass", timeout=1500).expect("ok")
        six(server, Ticket(0, 0))

    with ThreadPoolExecutor(len(fleet.seats)) as callers:
        list(callers.map(call, fleet.seats))


def end_well(fleet: Fleet, desk: Desk) -> None:
    """Whatever was done to a seat, it works at the end; what was killed is swept by then."""
    call_each(fleet)
    youngest = max(seat.lives[-1].begun for seat in fleet.seats)
    time.sleep(max(0.0, youngest + SWEPT_SECONDS - desk.now()))


def end_all(fleet: Fleet) -> list[str]:
    problems = []
    for life in fleet.lives:
        if not life.doomed:
            life.doomed = "end of run"
            try:
                life.server.close(END_SECONDS)
            except AssertionError as failure:
                problems.append(f"{life.name}: {failure}")
        elif life.server.process.poll() is None:
            problems.append(f"{life.name} still runs after {life.doomed}")
            life.server.kill()
    return problems


def sweep(fleet: Fleet) -> None:
    """Starts and ends one more server: what was killed, or took too long to die to be cleared away, goes with a start."""
    seat = fleet.seats[0]
    server = seat.life().server
    server.run("pass", timeout=240).expect("ok")
    seat.doom("end of run")
    server.close(END_SECONDS)


class Engine:
    """A docker engine for the time of the run: the one that is there, or one of our own."""

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
    desk = Desk(options.calls, options.minutes * 60, options.seed, options.at_most * 60)
    fleet = Fleet(Installation.from_environment(), desk, engine.works, large=not options.short)
    try:
        snapshots = before(fleet)
        schedule, sampler = Schedule(fleet, desk, engine.place), Sampler(fleet, desk)
        try:
            taken = run(fleet, desk, schedule, sampler)
        finally:
            ends = end_all(fleet)
        sweep(fleet)
        found = verdict(fleet, desk, schedule, sampler, leftovers(fleet, snapshots), ends)
    finally:
        fleet.close()
    write(options.out, summary(desk, schedule, fleet, sampler, found, taken), desk)
    if options.junitxml:
        write_junit(options.junitxml, "soak", [("run", name, problems) for name, problems in found.items()])
    return 1 if any(found.values()) else 0


def run(fleet: Fleet, desk: Desk, schedule: Schedule, sampler: Sampler) -> float:
    """The run itself; gives the seconds that it took."""
    warm_up(fleet)
    agents = [threading.Thread(target=seat.work, daemon=True) for seat in fleet.seats for _ in range(seat.agents)]
    print(f"{desk.calls} calls by {len(agents)} agents to {len(fleet.seats)} servers", flush=True)
    desk.open()
    for each in (sampler, schedule, *agents):
        each.start()
    for agent in agents:
        agent.join()
    taken = desk.now()
    schedule.wait()
    sampler.stop()
    end_well(fleet, desk)
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
