"""The loop of the supervisor while a script runs. It forwards output, serves the proxy port, checks limits and kills
the script when the server asks for it.

supervisor.py defines send, kill, end_everything, scratch, OUT, STOP and SCRATCH here.
"""

import os
import select
import sys
import time

import _signal

READ_SIZE = 1 << 16
FLOOD_SIZE = 1 << 19  # bytes of a pipe after it was found full
TICK = 0.1  # seconds between checks of the limits; longer if a check takes long
RARE_TICK = 1  # the longest time between checks
GRACE = 0.3  # seconds between the signal to exit and the kill
MOST_REAPED = 1000  # processes at a time, so that a script that forks without end does not delay the timeout


class Watch:
    def __init__(self, setup, child, memory, startup_cpu, stdout, stderr, reports):
        self.now = time.monotonic
        self.setup, self.child, self.status, self.usage = setup, child, None, None
        self.out_of_memory, self.too_many_files, self.peak, self.next_check, self.deadline = (
            False, False, 0, self.now() + TICK, None)
        self.widened, self.startup_cpu = set(), startup_cpu
        self.reports = bytearray()
        self.max_report_bytes = setup.bounds["all_variable_bytes"] + setup.bounds["all_file_bytes"]
        self.sinks = {stdout: self.sink(b"1"), stderr: self.sink(b"2"), reports: self.report_sink}
        self.bridge, self.memory = None, memory
        self.poll = select.poll()
        for fd in (0, *self.sinks):
            self.poll.register(fd, select.POLLIN)
        try:
            self.death = os.pidfd_open(child)
            self.poll.register(self.death, select.POLLIN)
        except (AttributeError, OSError):
            self.death = None

    def sink(self, kind):
        return lambda data: send(kind, data)

    def report_sink(self, data):
        if len(self.reports) < self.max_report_bytes:
            self.reports += data

    def run(self):
        while self.status is None:
            ticking = self.setup.memory or self.deadline or self.death is None
            self.step(TICK if ticking or self.bridge and self.bridge.paused else None)
            self.reap()
            if self.status is None and ticking:
                self.check_limits()
        if self.death is not None:
            self.poll.unregister(self.death)
        if self.deadline is None and not self.out_of_memory:
            # Processes that the script leaves running may still print, such as multiprocessing's resource tracker.
            self.drain(limit=1, silence=0.4, check=bool(self.setup.memory))
        end_everything(self.child)
        # Reads the rest. The time is limited in case a writer is not dead yet.
        self.drain(limit=2, silence=0.05)

    def step(self, timeout):
        """Waits for events and handles them; returns whether output came."""
        came = False
        for fd, events in self.poll.poll(None if timeout is None else timeout * 1000):
            if fd in self.sinks:
                self.pump(fd)
                came = True
            elif fd == 0:
                self.handle_command()
            elif self.bridge:
                self.bridge.serve(fd, events)
        if self.bridge and self.bridge.paused:
            self.bridge.resume()
        return came

    def pump(self, fd):
        try:
            data = os.read(fd, READ_SIZE)
        except BlockingIOError:
            return  # the script can read from the same pipe and was faster
        if data:
            if len(data) == READ_SIZE and fd not in self.widened:
                self.widened.add(fd)
                widen(fd)
                widen(OUT)
            self.sinks[fd](data)
        else:
            self.poll.unregister(fd)
            del self.sinks[fd]
            os.close(fd)

    def handle_command(self):
        command = os.read(0, 5)
        if not command:  # the server has closed the pipe
            end_everything(self.child)
            os._exit(0)
        if command[:1] == b"t" and self.deadline is None:
            self.deadline = self.now() + GRACE
            kill(self.child, STOP)

    def check_limits(self):
        now = self.now()
        if self.deadline is not None and now > self.deadline:
            end_everything(self.child)
        if now < self.next_check:
            return
        if self.setup.memory:
            self.count_memory()
        if os.getpid() == 1 and any(inodes(folder) > self.setup.bounds["inodes"] for folder in SCRATCH):
            self.too_many_files = True
            end_everything(self.child)
        self.next_check = self.now() + min(max(TICK, 9 * (self.now() - now)), RARE_TICK)

    def reap(self):
        for _ in range(MOST_REAPED):
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.child:
                self.status, self.usage = status, usage

    def drain(self, limit, silence, check=False):
        last_output = self.now()
        end = last_output + limit
        while self.sinks and self.now() < end:
            came = self.step(silence)
            if check:
                self.check_limits()
            if came:
                last_output = self.now()
            elif self.now() - last_output >= silence:
                return

    def count_memory(self):
        used = self.memory.in_use(self.setup.memory, self.bridge.connections() if self.bridge else 0)
        self.peak = max(self.peak, used)
        if used > self.setup.memory:
            self.out_of_memory = True
            end_everything(self.child)

    def exit_words(self):
        code = os.waitstatus_to_exitcode(self.status)
        if code == -STOP and self.deadline is not None:  # it came when the interpreter had no handlers any more
            code = -_signal.SIGKILL
        cpu = max(0, self.usage.ru_utime + self.usage.ru_stime - self.startup_cpu)
        scale = 1 if sys.platform == "darwin" else 1024
        peak = max(self.peak, self.usage.ru_maxrss * scale)
        out_of_memory = self.out_of_memory or self.killed_by_kernel(code, peak)
        return "code=%d cpu_us=%d peak=%d oom=%d files=%d" % (
            code, cpu * 1e6, peak, out_of_memory, self.too_many_files)

    def killed_by_kernel(self, code, peak):
        """Returns whether the kernel probably killed the script because of the memory limit. The kernel's count is not
        readable, so this compares the peak with the limit."""
        if "unreadable" not in self.setup.options or code != -_signal.SIGKILL:
            return False
        if self.deadline is not None or self.too_many_files:
            return False
        return peak + scratch() > 0.8 * self.setup.memory


def widen(pipe):
    """Enlarges a pipe, so that its writer and reader switch less often."""
    import fcntl

    try:
        fcntl.fcntl(pipe, 1031, FLOOD_SIZE)  # F_SETPIPE_SZ
    except OSError:
        pass


def inodes(folder):
    """Returns the number of files in a tmpfs: even an empty file takes a kilobyte of kernel memory."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return found.f_files - found.f_ffree
