"""Checks of the host while an attack runs. The line `host check` of an attack names the function.

Each function gets the attack, the server and a function that makes the call and returns its result. It adds what it
finds to attack.escapes, and returns the result to be judged, or None if it made and judged the calls itself.
"""

import contextlib
import inspect
import json
import os
import threading
import time
import unicodedata

import psutil
from local_user import InspectedContainers, at_processes, into_folder, open_folders
from servers import ENV_SECRET, INDEX_PASSWORD, upstream


def server_stays_small(attack, server, call):
    """The server's memory grows by at most 256 MiB during the call."""
    before = server.resident_bytes()
    result = call()
    if (more := server.resident_bytes() - before) > 256 << 20:
        attack.escapes.append(f"the server has grown by {more >> 20} MiB")
    return result


def server_rests_afterwards(attack, server, call):
    """The server itself uses less than half a processor in the five seconds after the answer."""
    result = call()
    process = psutil.Process(server.process.pid)
    before = sum(process.cpu_times()[:2])
    time.sleep(5)
    if (used := sum(process.cpu_times()[:2]) - before) > 2.5:
        attack.escapes.append(f"the server still computes: {used:.1f} s of CPU time in 5 s")
    return result


def server_rests_while_sandboxes_wait(attack, server, call):
    """The server uses less than half a processor once sandboxes with the package wait."""
    result = call()
    time.sleep(4)
    server_rests_afterwards(attack, server, lambda: None)
    return result


def waiting_sandbox_takes_it(attack, server, call):
    """Calls twice: the second time a sandbox has been waiting in which the package was imported."""
    call()
    time.sleep(6)
    before = server.resident_bytes()
    result = call()
    if (more := server.resident_bytes() - before) > 256 << 20:
        attack.escapes.append(f"the server has grown by {more >> 20} MiB")
    return result


def waiting_sandbox_rests(attack, server, call):
    """Some seconds after the call, when a sandbox with the package waits, none of the attack's processes runs."""
    result = call()
    time.sleep(12)
    return result


def waiting_sandboxes_stay_small(attack, server, call):
    """In the 15 seconds after the call, while sandboxes with the package wait, each holds less than 1.5 GiB."""
    result = call()
    deadline, most = time.monotonic() + 15, 0
    while time.monotonic() < deadline:
        most = max(most, *map(memory_of_tree, psutil.Process(server.process.pid).children()), 0)
        time.sleep(0.05)
    if most > 3 << 29:
        attack.escapes.append(f"a waiting sandbox took {most >> 20} MiB")
    return result


def waiting_sandboxes_hold_few_files(attack, server, call):
    """Some seconds after the call, the sandboxes that wait hold less than 768 MiB in files."""
    result = call()
    deadline, held = time.monotonic() + 12, 0
    while time.monotonic() < deadline:
        time.sleep(1)
        held = bytes_in_files(psutil.Process(server.process.pid))
    if held > 768 << 20:
        attack.escapes.append(f"waiting sandboxes hold {held >> 20} MiB in files")
    return result


def bytes_in_files(root):
    """The bytes in the writable folders of the sandboxes below a process, each folder once."""
    own = {os.stat(folder).st_dev for folder in ("/", "/tmp", "/dev", "/dev/shm")}
    used = {}
    for process in root.children(recursive=True):
        for folder in ("work", "tmp", "home/user", "dev/shm"):
            path = f"/proc/{process.pid}/root/{folder}"
            with contextlib.suppress(OSError):
                found = os.statvfs(path)
                used[os.stat(path).st_dev] = (found.f_blocks - found.f_bfree) * found.f_frsize
    return sum(size for device, size in used.items() if device not in own)


def memory_of_tree(root):
    total = 0
    with contextlib.suppress(psutil.Error):
        for process in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                found = process.memory_info()
                total += found.rss - found.shared
    return total


def process_list_holds_no_secret(attack, server, call):
    """Another user's ps shows no value of --env and no password: while installing, running, and waiting afterwards."""
    needles = [ENV_SECRET, INDEX_PASSWORD]
    is_docker = "--sandbox-backend=docker" in server.process.args
    containers = InspectedContainers(needles)
    with at_processes(*needles) as processes, containers if is_docker else contextlib.nullcontext():
        result = call()
        time.sleep(3)
    attack.escapes += processes.found + sorted(containers.found)
    return result


def server_is_closed_to_others(attack, server, call):
    """Another user can neither connect to the sockets in the server's temporary folder nor see its files."""
    folder = server.whereabouts.temporary
    with into_folder(folder) as looking:
        result = call()
        time.sleep(2)
        if os.geteuid() != 0:
            attack.escapes += [f"open to others: {name}" for name in open_folders(folder)]
    if os.geteuid() == 0:
        attack.escapes += looking.found
    return result


def server_stays_small_and_rests(attack, server, call):
    return server_rests_afterwards(attack, server, lambda: server_stays_small(attack, server, call))


def hint_keeps_to_what_it_knows(attack, server, call):
    """The hint contains none of the words in the attack's line `never in the hint`."""
    result = call()
    hint = result.structured.get("hint", "")
    if said := [word for word in attack.fields["never in the hint"].split() if word in hint]:
        attack.escapes.append(f"the hint contains {said}: {hint[:300]}")
    return result


def nothing_invisible(attack, server, call):
    """The result contains no invisible character."""
    result = call()
    written = set(json.dumps(result.raw, ensure_ascii=False)) - {" ", "\n"}
    letters = {"\u115f", "\u3164", "\u034f"}  # blank by their shape, not by their category
    hidden = {c for c in written if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cn", "Co")} | letters & written
    if hidden:
        attack.escapes.append(f"invisible in the result: {sorted(map(ascii, hidden))}")
    return result


def upstream_receives_nothing(attack, server, call):
    """The server's upstream proxy does not receive the attack's token."""
    result = call()
    received = [line for line in upstream().received if attack.token in line]
    attack.escapes += [f"the upstream proxy received {line[:100]!r}" for line in received[:3]]
    return result


def index_password_stays_out(attack, server, call):
    """No text of the result holds the password of the package index."""
    result = call()
    if INDEX_PASSWORD in json.dumps(result.raw):
        attack.escapes.append("the index's password is in the result")
    return result


def nothing_new_after_compiling(attack, server, call):
    """Nothing appears in the attack's folder on the host while the environment is compiled after the response."""
    result = call()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and not (attack.home / "witness").exists():
        time.sleep(0.1)
    return result


def shared_bytecode_stays_clean(attack, server, call):
    """Another environment with the victim's wheel has the victim's bytecode, and not what the attack put in its place."""
    known = server.whereabouts.cache / "known"
    before = len(list(known.glob("compiled-*")))
    found = call()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and len(list(known.glob("compiled-*"))) == before:
        time.sleep(0.1)
    script = "import victim, victim.part; print(victim.ANSWER, victim.part.ANSWER)"
    result = server.run(script, dependencies=["victim", "harmless"], timeout=60)
    if result.stdout != "42 42\n":
        attack.escapes.append(f"another environment has changed bytecode: {result.raw}")
    return found


def environments_are_folders(attack, server, call):
    """No environment is a link to somewhere else, while the call runs or for a moment after it."""
    result = call()
    links = [path for path in (server.whereabouts.cache / "environments").iterdir() if path.is_symlink()]
    if links:
        attack.escapes.append(f"an environment leads to {[str(link.readlink()) for link in links]}")
        for link in links:
            link.unlink()
    return result


def disk_stays_bounded(attack, server, call):
    """The cache folder takes no more than 1.25 GiB at any moment of the call, and half a GiB 30 s after it.

    Up to three other attacks fill the same folder at the same time, each up to 256 MiB before they are stopped.
    """
    most, done = [0], threading.Event()

    def watch():
        while not done.wait(0.3):
            most[0] = max(most[0], disk_usage(server.whereabouts.cache))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = call()
    finally:
        done.set()
        watcher.join()
    if most[0] > 5 << 28:
        attack.escapes.append(f"the cache folder grew to {most[0] >> 20} MiB")
    deadline = time.monotonic() + 30
    while (left := disk_usage(server.whereabouts.cache)) > 1 << 29 and time.monotonic() < deadline:
        time.sleep(0.2)
    if left > 1 << 29:
        attack.escapes.append(f"{left >> 20} MiB are left in the cache folder")
    return result


def disk_usage(folder):
    """In bytes, each file once; a file that is deleted at the same time counts nothing."""
    seen, total = set(), 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                found = os.lstat(os.path.join(path, name))
            except OSError:
                continue
            if found.st_ino not in seen:
                seen.add(found.st_ino)
                total += found.st_blocks * 512
    return total


CHECKS = {
    name: check for name, check in list(globals().items()) if inspect.isfunction(check) and check.__module__ == __name__
}
