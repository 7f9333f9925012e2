"""Sends the reports and files of a script after all its processes have ended.

supervisor.py defines send, file_state and BOUNDS here.
"""

import os
import stat

MAX_FOLDERS = 1000
MAX_SAVED = 100  # images that show the same as a figure
MAX_OTHERS = 32  # files outside of the working folder
PIECE = 1 << 16


def send_reports(reports, wanted):
    """Sends the complete reports of the script's process; returns the number of files, their bytes, and the number of
    figures that were not sent.

    The script can write to the same pipe, so only requested variables are sent, each once, within limits.
    """
    count = total = missing = 0
    wanted = {name.encode() for name in wanted}
    room = BOUNDS["all_variable_bytes"]
    figures, saved, value = [], {}, None
    for kind, payload in frames(reports):
        name, _, content = payload.partition(b"\0")
        if kind == b"V" and name in wanted and len(payload) <= min(room, BOUNDS["variable_bytes"]):
            wanted.remove(name)
            room -= len(payload)
            send(b"V", payload)
        elif kind == b"E" and len(payload) <= BOUNDS["variable_bytes"]:
            value = payload
        elif kind == b"F" and len(figures) < BOUNDS["figures"]:
            figures.append((name, content))
        elif kind == b"S" and (content in saved or len(saved) < MAX_SAVED):
            saved[content] = name  # a file has the last figure that was saved with its name
        elif kind in (b"F", b"M"):
            missing += 1
    if value is not None:
        send(b"E", value)
    also_files = {name for path, name in saved.items() if is_sent(path)}
    for number, (name, content) in enumerate(figures):
        if b"%d" % number in also_files:
            continue
        if count < BOUNDS["figures"] and fits(len(content), total):
            count += 1
            total += len(content)
            send(b"F", free_name(name, count), b"\0", content)
        else:
            missing += 1
    return count, total, missing


def frames(reports):
    at = 0
    while at + 5 <= len(reports):
        length = int.from_bytes(reports[at + 1:at + 5], "big")
        payload = reports[at + 5:at + 5 + length]
        if len(payload) < length:
            break
        yield reports[at:at + 1], payload
        at += 5 + length


def is_sent(path):
    """Returns whether a file is one of those that send_files sends."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return False
    inside = path.startswith(os.getcwdb() + b"/") or b"/." not in path and any(
        path.startswith(folder + b"/") for folder in other_folders())
    return inside and stat.S_ISREG(found.st_mode) and found.st_size <= BOUNDS["file_bytes"]


def other_folders():
    """Returns the temporary folder and the home folder."""
    return [os.environb[name] for name in (b"TMPDIR", b"HOME") if os.environb.get(name)]


def fits(size, total):
    return size <= BOUNDS["file_bytes"] and total + size <= BOUNDS["all_file_bytes"]


def free_name(name, number):
    """Returns figure-1.png for the first figure.png, unless the script has a file of that name."""
    stem, ending = os.path.splitext(os.path.basename(name)[:100])
    while os.path.lexists(b"%s-%d%s" % (stem, number, ending)):
        number += BOUNDS["figures"]
    return b"%s-%d%s" % (stem, number, ending)


def send_files(written, count, total, keep, everywhere):
    """Sends the files that are new or changed in the working folder, or everywhere.

    Files that are too large, or too many, to be held in memory are sent in pieces, if requested.
    """
    for listed, (path, size) in enumerate(changed_files(written, everywhere)):
        if listed >= BOUNDS["listed_files"]:
            return
        content = read_file(path) if fits(size, total) and count < BOUNDS["files"] else None
        if content is not None:
            count += 1
            total += len(content)
            send(b"F", path, b"\0", content)
        elif size <= keep and send_in_pieces(path, size):
            keep -= size
        else:
            send(b"N", path, b"\0%d" % size)


def changed_files(written, everywhere):
    """Yields path and size of each regular file of the working folder that is new or changed, then some of those in the
    temporary and the home folder, where packages have hidden files of their own."""
    yield from regular_files(b"", written)
    folders = other_folders() if everywhere else []
    others = (found for folder in folders for found in regular_files(folder, {}, visible=True))
    yield from (found for found, _ in zip(others, range(MAX_OTHERS)))


def regular_files(start, known, visible=False):
    """Links are never followed."""
    todo = [start]
    while todo:
        folder = todo.pop(0)
        try:
            names = sorted(os.listdir(folder or b"."))
        except OSError:
            continue
        for name in names:
            path = os.path.join(folder, name)
            try:
                found = os.lstat(path)
            except OSError:
                continue
            if visible and name.startswith(b"."):
                continue
            if stat.S_ISDIR(found.st_mode):
                if name != b"__pycache__" and len(todo) < MAX_FOLDERS:
                    todo.append(path)
            elif stat.S_ISREG(found.st_mode) and known.get(path) != file_state(found):
                if len(path) <= BOUNDS["name_bytes"]:
                    yield path, found.st_size


def open_file(path):
    """Opens a regular file; refuses anything else that may have replaced it."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return open(fd, "rb")
    os.close(fd)
    return None


def read_file(path):
    file = open_file(path)
    if file is None:
        return None
    with file:
        content = file.read(BOUNDS["file_bytes"] + 1)
    return content if len(content) <= BOUNDS["file_bytes"] else None


def send_in_pieces(path, size):
    file = open_file(path)
    if file is None:
        return False
    send(b"L", path, b"\0%d" % size)
    with file:
        while size and (piece := file.read(min(size, PIECE))):
            size -= len(piece)
            send(b"C", piece)
    return True
