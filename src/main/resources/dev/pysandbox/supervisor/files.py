"""Sends the reports and files of a script after all its processes have ended.

supervisor.py defines send, file_state and BOUNDS here.
"""

import os
import stat

MAX_FOLDERS = 1000
PIECE = 1 << 16


def send_reports(reports, wanted):
    """Sends the complete reports of the script's process; returns the number of files and their bytes.

    The script can write to the same pipe, so only requested variables are sent, each once, within limits.
    """
    count = total = at = 0
    wanted = {name.encode() for name in wanted}
    room = BOUNDS["all_variable_bytes"]
    while at + 5 <= len(reports):
        kind, length = reports[at:at + 1], int.from_bytes(reports[at + 1:at + 5], "big")
        payload = reports[at + 5:at + 5 + length]
        at += 5 + length
        if len(payload) < length:
            break
        name, _, content = payload.partition(b"\0")
        if kind == b"V" and name in wanted and length <= min(room, BOUNDS["variable_bytes"]):
            wanted.remove(name)
            room -= length
            send(b"V", payload)
        elif kind == b"F" and count < BOUNDS["figures"] and fits(len(content), total):
            count += 1
            total += len(content)
            send(b"F", free_name(name, count), b"\0", content)
    return count, total


def fits(size, total):
    return size <= BOUNDS["file_bytes"] and total + size <= BOUNDS["all_file_bytes"]


def free_name(name, number):
    """Returns figure-1.png for the first figure.png, unless the script has a file of that name."""
    stem, ending = os.path.splitext(os.path.basename(name)[:100])
    while os.path.lexists(b"%s-%d%s" % (stem, number, ending)):
        number += BOUNDS["figures"]
    return b"%s-%d%s" % (stem, number, ending)


def send_files(written, count, total, keep):
    """Sends regular files of the working folder that are new or changed; links are never followed.

    Files that are too large, or too many, to be held in memory are sent in pieces, if requested.
    """
    listed = 0
    todo = [b""]
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
            if stat.S_ISDIR(found.st_mode):
                if name != b"__pycache__" and len(todo) < MAX_FOLDERS:
                    todo.append(path)
                continue
            if not stat.S_ISREG(found.st_mode) or written.get(path) == file_state(found) or len(path) > BOUNDS["name_bytes"]:
                continue
            if listed >= BOUNDS["listed_files"]:
                return
            listed += 1
            content = read_file(path) if fits(found.st_size, total) and count < BOUNDS["files"] else None
            if content is not None:
                count += 1
                total += len(content)
                send(b"F", path, b"\0", content)
            elif found.st_size <= keep and send_in_pieces(path, found.st_size):
                keep -= found.st_size
            else:
                send(b"N", path, b"\0%d" % found.st_size)


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
