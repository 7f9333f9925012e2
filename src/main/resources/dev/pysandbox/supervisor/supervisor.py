"""The first process inside every sandbox: waits for one request, runs it, frames what comes out.

It is loaded in one of two ways:
- by a .pth file of the script's environment, while `python script.py` starts and before `script.py` is opened. It
  forks when the request is there; the child simply returns, and the interpreter goes on to run `script.py` as if
  nothing had happened: no frame, argument or module of ours is left in its way.
- as a program of its own, for requests that name a command (an installer) instead of a script.

Both directions speak frames: a type (one byte), a length (four bytes, big-endian), a payload.

To us:  A argument of a command    S source of script.py     F file: name, NUL, content
        E NAME=VALUE               L resource limit          V name of a variable to report
        M bytes of memory          B socket of the proxy     O option: live, subreaper, container
        G go                       T end it: the time is up
From us: R ready    1 2 output     V variable: name, NUL, JSON    F file: name, NUL, content
         N file not sent: name, NUL, size    X exit: key=value words    ! we failed: why

Before the fork only modules that any interpreter has loaded already may be used: what we import, the script would
find in sys.modules.
"""

import os
import sys

import _signal

STOP = _signal.SIGRTMAX - 1  # asks the script's interpreter to flush its output and leave
PROXY_PORT = 3128
READ_SIZE = 1 << 16
TICK = 0.1
GRACE = 0.3  # between being asked to leave and being killed
REPORTS = 99  # descriptor over which the script's process describes its variables: out of its way

MAX_FILES = 64
MAX_LISTED = 256
MAX_FILE_BYTES = 8 << 20
MAX_ALL_FILE_BYTES = 24 << 20
MAX_VARIABLES_BYTES = 1 << 20


def send(kind, *parts):
    data = kind + sum(map(len, parts)).to_bytes(4, "big") + b"".join(parts)
    while data:
        data = data[os.write(OUT, data):]


def read_exactly(count):
    parts = []
    while count:
        part = os.read(0, min(count, 1 << 20))
        if not part:
            os._exit(0)  # the server is gone
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def read_frame():
    head = read_exactly(5)
    return head[:1], read_exactly(int.from_bytes(head[1:], "big"))


class Request:
    def __init__(self):
        self.argv, self.files, self.variables, self.limits, self.options = [], [], [], [], set()
        self.environ, self.script, self.memory, self.proxy = [], None, 0, None
        while True:
            kind, payload = read_frame()
            if kind == b"G":
                return
            if kind == b"A":
                self.argv.append(payload)
            elif kind == b"S":
                self.script = payload
            elif kind == b"F":
                self.files.append(payload.split(b"\0", 1))
            elif kind == b"E":
                self.environ.append(payload.split(b"=", 1))
            elif kind == b"L":
                self.limits.append(payload.decode().split("="))
            elif kind == b"V":
                self.variables.append(payload.decode())
            elif kind == b"M":
                self.memory = int(payload)
            elif kind == b"B":
                self.proxy = payload
            elif kind == b"O":
                self.options.add(payload)


def stamp(path):
    found = os.lstat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns


def put_files(request):
    """Writes the script and its files into the working folder and remembers how they looked."""
    written = {}
    files = request.files if request.script is None else request.files + [[b"script.py", request.script]]
    for name, content in files:
        folder = os.path.dirname(name)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(name, "wb") as file:
            file.write(content)
        written[name] = stamp(name)
    return written


# --- the child ------------------------------------------------------------------------------------------------------


def become_script(request, stdout, stderr, reports):
    """Turns the forked child into what `python script.py` would be at this point, or into the command."""
    if b"container" in request.options:
        stand_in_front()
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    keep = 3
    if request.variables:
        reports = os.dup2(reports, REPORTS, inheritable=False)
        os.closerange(3, REPORTS)
        keep = REPORTS + 1
    os.closerange(keep, 65536)
    for name, value in request.environ:
        os.environb[name] = value
    apply_limits(request)
    if request.argv:
        try:
            os.execve(request.argv[0], request.argv, os.environb)
        except OSError as error:
            os.write(2, b"can't start %s: %s\n" % (request.argv[0], error.strerror.encode()))
            os._exit(127)
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    _signal.signal(STOP, flush_and_leave)
    if b"live" in request.options:
        sys.stdout.reconfigure(line_buffering=True)
    if request.variables:
        report_variables_at_exit(request.variables, reports)


def stand_in_front():
    """Where memory runs out, the kernel is to end us rather than the supervisor; we start when that is out of reach."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    os.kill(os.getpid(), _signal.SIGSTOP)


def apply_limits(request):
    if request.limits:
        import resource

        for name, value in request.limits:
            limit = getattr(resource, "RLIMIT_" + name)
            hard = resource.getrlimit(limit)[1]
            value = int(value) if hard == resource.RLIM_INFINITY else min(int(value), hard)
            resource.setrlimit(limit, (value, value))
        del sys.modules["resource"]


def flush_and_leave(signum, frame):
    # What the script has printed so far is worth more to its reader than a clean death.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    os._exit(128 + _signal.SIGKILL)


def report_variables_at_exit(names, reports):
    # Registered before any of the script's own handlers, so it runs after all of them.
    import atexit

    source = os.path.join(os.path.dirname(__file__), "variables.py")

    def report():
        scope = {"__name__": "variables"}
        with open(source, "rb") as file:
            exec(compile(file.read(), "variables.py", "exec"), scope)
        with open(reports, "wb") as pipe:
            for name in names:
                pipe.write(scope["describe"](sys.modules["__main__"].__dict__, name) + b"\n")

    atexit.register(report)


# --- the parent -----------------------------------------------------------------------------------------------------


class Watch:
    """Stays beside the running child: passes its output on, counts its memory, ends it when told."""

    def __init__(self, request, child, stdout, stderr, reports):
        import select
        import time

        self.select, self.now = select.select, time.monotonic
        self.request, self.child, self.status, self.usage = request, child, None, None
        self.out_of_memory, self.peak, self.next_look, self.deadline = False, 0, 0.0, None
        self.reports = bytearray()
        self.sinks = {stdout: self.sink(b"1"), stderr: self.sink(b"2"), reports: self.report_sink}
        self.poll = select.poll()
        for fd in (0, *self.sinks):
            self.poll.register(fd, select.POLLIN)
        try:
            self.poll.register(os.pidfd_open(child), select.POLLIN)
            self.told_of_death = True
        except (AttributeError, OSError):
            self.told_of_death = False

    def sink(self, kind):
        return lambda data: send(kind, data)

    def report_sink(self, data):
        if len(self.reports) < MAX_VARIABLES_BYTES:
            self.reports += data

    def run(self):
        while self.status is None:
            ticking = self.request.memory or self.deadline or not self.told_of_death
            for fd, _ in self.poll.poll(TICK * 1000 if ticking else None):
                if fd in self.sinks:
                    self.pump(fd)
                elif fd == 0:
                    self.obey()
            self.reap()
            if self.status is None and ticking:
                self.look()
        end_everything(self.child)
        self.drain()

    def pump(self, fd):
        data = os.read(fd, READ_SIZE)
        if data:
            self.sinks[fd](data)
        else:
            self.poll.unregister(fd)
            del self.sinks[fd]
            os.close(fd)

    def obey(self):
        command = os.read(0, 5)
        if not command:  # the server is gone
            end_everything(self.child)
            os._exit(0)
        if command[:1] == b"T" and self.deadline is None:
            self.deadline = self.now() + GRACE
            kill(self.child, STOP)

    def look(self):
        now = self.now()
        if now < self.next_look:
            return
        self.next_look = now + TICK
        if self.deadline is not None and now > self.deadline:
            end_everything(self.child)
        if self.request.memory:
            used = memory_in_use(self.child)
            self.peak = max(self.peak, used)
            if used > self.request.memory:
                self.out_of_memory = True
                end_everything(self.child)

    def reap(self):
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.child:
                self.status, self.usage = status, usage

    def drain(self):
        # All writers are dead or about to be; one that is not must not hold us up.
        give_up = self.now() + 2
        while self.sinks and self.now() < give_up:
            ready = self.select(list(self.sinks), [], [], 0.05)[0]
            if not ready:
                return
            for fd in ready:
                self.pump(fd)

    def exit_words(self):
        code = os.waitstatus_to_exitcode(self.status)
        cpu = self.usage.ru_utime + self.usage.ru_stime
        scale = 1 if sys.platform == "darwin" else 1024
        peak = max(self.peak, self.usage.ru_maxrss * scale)
        out_of_memory = self.out_of_memory or self.killed_by_kernel(code, peak)
        return "code=%d cpu_us=%d peak=%d oom=%d" % (code, cpu * 1e6, peak, out_of_memory)

    def killed_by_kernel(self, code, peak):
        """A container's memory holds the files of its folders too, and the kernel is quicker than we are."""
        if b"container" not in self.request.options or code != -_signal.SIGKILL or self.deadline is not None:
            return False
        folders = [os.statvfs(path) for path in (".", "/tmp", os.environ["HOME"])]
        files = sum((folder.f_blocks - folder.f_bfree) * folder.f_frsize for folder in folders)
        return peak + files > 0.8 * self.request.memory


def kill(pid, signum):
    try:
        os.kill(pid, signum)
    except OSError:
        pass


def tree(root):
    """The processes below one, as /proc has them at this moment."""
    children = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as file:
                    parent = int(file.read().rsplit(b")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(name))
    found, todo = [], [root]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


def end_everything(child):
    if os.getpid() == 1:
        kill(-1, _signal.SIGKILL)
        return
    kill(child, _signal.SIGKILL)
    try:
        os.killpg(child, _signal.SIGKILL)
    except OSError:
        pass
    for _ in range(8):  # those that fork while being killed
        below = tree(os.getpid())
        if not below:
            return
        for pid in below:
            kill(pid, _signal.SIGKILL)


def memory_in_use(child):
    page = os.sysconf("SC_PAGE_SIZE")
    own, shared = 0, 0
    for pid in os.listdir("/proc") if os.getpid() == 1 else [child, *tree(child)]:
        try:
            with open("/proc/%s/statm" % pid, "rb") as file:
                fields = file.read().split()
            own += int(fields[1]) - int(fields[2])
            shared = max(shared, int(fields[2]))
        except (OSError, IndexError):
            pass
    return (own + shared) * page


def send_files(written):
    """Sends regular files of the working folder that are new or changed; links are never followed."""
    import stat

    count = listed = total = 0
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
                if name != b"__pycache__" and len(todo) < 1000:
                    todo.append(path)
                continue
            if not stat.S_ISREG(found.st_mode):
                continue
            if written.get(path) == (found.st_ino, found.st_size, found.st_mtime_ns):
                continue
            if listed >= MAX_LISTED:
                return
            listed += 1
            small = found.st_size <= MAX_FILE_BYTES and total + found.st_size <= MAX_ALL_FILE_BYTES
            content = read_file(path) if small and count < MAX_FILES else None
            if content is None:
                send(b"N", path, b"\0%d" % found.st_size)
            else:
                count += 1
                total += len(content)
                send(b"F", path, b"\0", content)


def read_file(path):
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(fd, "rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    return content if len(content) <= MAX_FILE_BYTES else None


def open_proxy_port():
    import _socket

    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", PROXY_PORT))
    listener.listen(128)
    return listener


def serve_proxy_port(listener, path):
    """Carries each connection made to the loopback port over to the proxy's socket, and back."""
    import _socket
    import _thread

    def pump(source, target, done):
        try:
            while data := source.recv(READ_SIZE):
                target.sendall(data)
        except OSError:
            pass
        try:
            target.shutdown(_socket.SHUT_WR)
        except OSError:
            pass
        done.append(None)
        if len(done) == 2:
            source.close()
            target.close()

    def accept():
        while True:
            client = _socket.socket(fileno=listener._accept()[0])
            proxy = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
            try:
                proxy.connect(path)
            except OSError:
                client.close()
                continue
            done = []
            _thread.start_new_thread(pump, (client, proxy, done))
            _thread.start_new_thread(pump, (proxy, client, done))

    _thread.start_new_thread(accept, ())


def adopt_orphans():
    """Where we are not PID 1: what the script leaves behind becomes our child, so that we can end it."""
    import ctypes

    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def withdraw(child):
    """Where all processes inside are the same user's: nobody reads or writes our memory through /proc any more."""
    import ctypes

    if ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) != 0:  # PR_SET_DUMPABLE
        raise OSError("the supervisor's memory can't be closed to the script")
    os.waitpid(child, os.WUNTRACED)  # it has stopped itself
    os.kill(child, _signal.SIGCONT)


def supervise(request, child, written, pipes, listener):
    if b"container" in request.options:
        withdraw(child)
    if listener is not None:
        serve_proxy_port(listener, request.proxy)
    if b"subreaper" in request.options and sys.platform == "linux":
        adopt_orphans()
    watch = Watch(request, child, *pipes)
    watch.run()
    for line in bytes(watch.reports).splitlines():
        send(b"V", line)
    send_files(written)
    send(b"X", watch.exit_words().encode())


def main():
    # PID 1 ignores whatever it has no handler for; Python's own handler for SIGINT would be one.
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    send(b"R")
    request = Request()
    listener = open_proxy_port() if request.proxy else None
    written = put_files(request)
    pipes = [os.pipe() for _ in range(3)]
    child = os.fork()
    if child == 0:
        become_script(request, *(write for _, write in pipes))
        for name in ("_socket",):
            sys.modules.pop(name, None)
        return
    for _, write in pipes:
        os.close(write)
    try:
        supervise(request, child, written, [read for read, _ in pipes], listener)
    except BrokenPipeError:
        pass  # the server is gone, and what is in here goes with us
    except BaseException as error:
        send(b"!", repr(error).encode("utf-8", "replace"))
    end_everything(child)
    os._exit(0)


OUT = os.dup(1)
try:
    main()
except Exception as failure:
    send(b"!", repr(failure).encode("utf-8", "replace"))
    os._exit(70)
