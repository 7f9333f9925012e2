"""The first process inside every sandbox: waits for one request, runs it, frames what comes out.

It is loaded in one of two ways:
- by a .pth file of the script's environment, while `python script.py` starts and before `script.py` is opened. It
  forks; when the request is there the child simply returns, and the interpreter goes on to run `script.py` as if
  nothing had happened: no frame, argument or module of ours is left in its way.
- as a program of its own, for requests that name a command (an installer) instead of a script.

Both directions speak frames: a type (one byte), a length (four bytes, big-endian), a payload.

To us:  A argument of a command    S source of script.py     F file: name, NUL, content
        E NAME=VALUE               L resource limit          V name of a variable to report
        M bytes of memory          B socket of the proxy     O option: live, subreaper, container, restricted
        K bytes of large files     G go                      T end it: the time is up
From us: R ready: bytes of memory held    A task accepted    1 2 output    V variable: name, NUL, JSON
         D done: nothing of it runs any more    F file: name, NUL, content    L large file: name, NUL, size
         C content of the large file, a piece    N file not sent: name, NUL, size    X exit: key=value words
         ! we failed: why

Before the fork only modules that any interpreter has loaded already may be used: what we import, the script would
find in sys.modules. The one exception are the modules named by PYTHON_SANDBOX_IMPORTS: those that the script is known
to import first of all, imported while it is not yet there. Where that variable is set, be it to nothing, the request
is not expected at once, and there is time to make the child ready.
"""

import os
import sys

import _signal

# Asks the script's interpreter to flush its output and leave; macOS has no real-time signals.
STOP = getattr(_signal, "SIGRTMAX", _signal.SIGUSR2 + 1) - 1
PROXY_PORT = 3128
READ_SIZE = 1 << 16
FLOOD_SIZE = 1 << 19  # of a pipe that is found full
TICK = 0.1  # between looks at what the script uses; more where looking itself takes long
RARE_TICK = 1
GRACE = 0.3  # between being asked to leave and being killed
# Our descriptors, out of the way: the lowest go to what imports and the script open, as they would without us.
OUT = 90  # to the server
IMPORTING = (91, 92, 93)
REPORTS = 99  # from the script's process, for variables and figures
PICTURES = (b"plot", b"plt", b"pylab", b"seaborn", b"PIL")  # a script without any of these words shows nothing
COLLECTION = (b"gc", b"__del__", b"weakref")  # one without any of these does not see how garbage is collected

SCRATCH = ("/work", "/tmp", "/home/user", "/dev/shm")
MAX_FILES = 64
MAX_LISTED = 256
MAX_FILE_BYTES = 8 << 20
MAX_ALL_FILE_BYTES = 24 << 20
MAX_VARIABLES_BYTES = 1 << 20
MAX_INODES = 100_000  # in each folder in memory: even an empty file takes a kilobyte of the kernel's
TOO_MANY_FILES = b"killed for making more than %d files\n" % MAX_INODES
MAX_FIGURES = 16


def send(kind, *parts):
    write_all(OUT, frame(kind, *parts))


def read_exactly(source, count):
    parts = []
    while count:
        part = os.read(source, min(count, 1 << 20))
        if not part:
            os._exit(0)  # the server is gone
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def read_frame(source):
    head = read_exactly(source, 5)
    return head[:1], read_exactly(source, int.from_bytes(head[1:], "big"))


def frame(kind, *parts):
    return kind + sum(map(len, parts)).to_bytes(4, "big") + b"".join(parts)


def write_all(target, data):
    while data:
        data = data[os.write(target, data):]


class Request:
    def __init__(self, source):
        self.argv, self.files, self.variables, self.limits, self.options = [], [], [], [], set()
        self.environ, self.script, self.memory, self.proxy, self.keep = [], None, 0, None, 0
        while True:
            kind, payload = read_frame(source)
            if kind == b"G":
                break
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
            elif kind == b"K":
                self.keep = int(payload)
            elif kind == b"O":
                self.options.add(payload)
        if self.speaks_of(PICTURES):
            self.options.add(b"pictures")
        if self.speaks_of(COLLECTION):
            self.options.add(b"collection")

    def speaks_of(self, words):
        sources = [content for name, content in self.files if name.endswith(b".py")]
        sources += [] if self.script is None else [self.script]
        return not self.argv and any(word in source for source in sources for word in words)

    def pass_on(self, target):
        """Tells the child that is to run it what it needs to know; at once, or the two would take turns."""
        frames = [frame(b"A", argument) for argument in self.argv]
        frames += [frame(b"E", name, b"=", value) for name, value in self.environ]
        frames += [frame(b"L", name.encode(), b"=", value.encode()) for name, value in self.limits]
        frames += [frame(b"V", name.encode()) for name in self.variables]
        frames += [frame(b"O", option) for option in self.options]
        write_all(target, b"".join([*frames, frame(b"G")]))


def stamp(found):
    return found.st_ino, found.st_size, found.st_mtime_ns


def put_files(request):
    """Writes the script and its files into the working folder and remembers how they looked."""
    written = {}
    files = request.files if request.script is None else request.files + [[b"script.py", request.script]]
    for name, content in files:
        folder = os.path.dirname(name)
        if folder:
            os.makedirs(folder, exist_ok=True)
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        write_all(file, content)
        written[name] = stamp(os.fstat(file))
        os.close(file)
    return written


# --- the child ------------------------------------------------------------------------------------------------------


def become_script(orders, stdout, stderr, reports):
    """Turns the forked child into what `python script.py` would be at this point, or into the command."""
    request = Request(orders)
    if b"container" in request.options:
        stand_in_front()
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    pictures = b"pictures" in request.options
    if request.variables or pictures:
        os.dup2(reports, REPORTS, inheritable=False)
    for ours in (nothing, OUT, orders, stdout, stderr, reports):
        os.close(ours)
    for name, value in request.environ:
        os.environb[name] = value
    apply_limits(request)
    if request.argv:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        try:
            os.execve(request.argv[0], request.argv, os.environb)
        except OSError as error:
            os.write(2, b"can't start %s: %s\n" % (request.argv[0], error.strerror.encode()))
            os._exit(127)
    if b"collection" in request.options:
        unseen("gc").unfreeze()
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    _signal.signal(STOP, flush_and_leave)
    if b"live" in request.options:
        sys.stdout.reconfigure(line_buffering=True)
    if request.variables:
        report_variables_at_exit(request.variables)
    if pictures:
        own_file("figures.py")["install"](report)
    if b"restricted" in request.options:
        own_file("restricted.py")["enforce"]("script.py")


def stand_in_front():
    """Where memory runs out, the kernel is to end us rather than the supervisor; we start when that is out of reach."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    os.kill(os.getpid(), _signal.SIGSTOP)


def apply_limits(request):
    resource = unseen("resource") if request.limits else None
    for name, value in request.limits:
        limit = getattr(resource, "RLIMIT_" + name)
        hard = resource.getrlimit(limit)[1]
        value = int(value) if hard == resource.RLIM_INFINITY else min(int(value), hard)
        resource.setrlimit(limit, (value, value))


def unseen(name, found={}):
    """A module of the interpreter's own that the script will not find loaded because of us."""
    if name not in found:
        known = name in sys.modules
        found[name] = __import__(name)
        if not known:
            del sys.modules[name]
    return found[name]


def rehearse():
    """Touches what running and leaving will touch: the kernel copies those pages of the parent's now, and not then."""
    before = faults()
    gc = unseen("gc")
    for each in gc.get_objects():
        gc.get_referents(each)
    return (faults() - before) * os.sysconf("SC_PAGE_SIZE")


def faults():
    return unseen("resource").getrusage(0).ru_minflt


def flush_and_leave(signum, frame):
    # What the script has printed so far is worth more to its reader than a clean death.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    os._exit(128 + _signal.SIGKILL)


def own_file(name):
    """What a file beside this one defines; it is not imported, so the script does not find it."""
    scope = {"__name__": name.partition(".")[0]}
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as file:
        exec(compile(file.read(), name, "exec"), scope)
    return scope


def report_variables_at_exit(names):
    # Registered before any of the script's own handlers, so it runs after all of them.
    import atexit

    pid = os.getpid()

    def report_variables():
        if os.getpid() != pid:  # forked by the script
            return
        describe = own_file("variables.py")["describe"]
        for name in names:
            report(b"V", describe(sys.modules["__main__"].__dict__, name))

    atexit.register(report_variables)


def report(kind, payload):
    """Sends a frame to the supervisor, as that does to the server."""
    write_all(REPORTS, frame(kind, payload))


# --- the parent -----------------------------------------------------------------------------------------------------


class Watch:
    """Stays beside the running child: passes its output on, counts its memory, ends it when told."""

    def __init__(self, request, child, rehearsal, stdout, stderr, reports):
        import select
        import time

        self.select, self.now = select.select, time.monotonic
        self.request, self.child, self.status, self.usage = request, child, None, None
        self.out_of_memory, self.peak, self.next_look, self.deadline = False, 0, 0.0, None
        self.floods, self.rehearsal = set(), rehearsal
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
        if len(self.reports) < MAX_VARIABLES_BYTES + MAX_ALL_FILE_BYTES:
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
        if self.deadline is None and not self.out_of_memory:
            # What the script leaves running may have a last word, as multiprocessing's resource tracker does.
            self.drain(limit=1, silence=0.4)
        end_everything(self.child)
        # All writers are dead or about to be; one that is not must not hold us up.
        self.drain(limit=2, silence=0.05)

    def pump(self, fd):
        data = os.read(fd, READ_SIZE)
        if data:
            if len(data) == READ_SIZE and fd not in self.floods:
                self.floods.add(fd)
                widen(fd)
                widen(OUT)
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
        if self.deadline is not None and now > self.deadline:
            end_everything(self.child)
        if now < self.next_look:
            return
        if self.request.memory:
            used = memory_in_use(self.child, self.request.memory)
            self.peak = max(self.peak, used)
            if used > self.request.memory:
                self.out_of_memory = True
                end_everything(self.child)
        if os.getpid() == 1 and any(map(overfull, SCRATCH)):
            send(b"2", TOO_MANY_FILES)
            end_everything(self.child)
        self.next_look = self.now() + min(max(TICK, 9 * (self.now() - now)), RARE_TICK)

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

    def drain(self, limit, silence):
        give_up = self.now() + limit
        while self.sinks and self.now() < give_up:
            ready = self.select(list(self.sinks), [], [], silence)[0]
            if not ready:
                return
            for fd in ready:
                self.pump(fd)

    def exit_words(self):
        code = os.waitstatus_to_exitcode(self.status)
        cpu = max(0, self.usage.ru_utime + self.usage.ru_stime - self.rehearsal)
        scale = 1 if sys.platform == "darwin" else 1024
        peak = max(self.peak, self.usage.ru_maxrss * scale)
        out_of_memory = self.out_of_memory or self.killed_by_kernel(code, peak)
        return "code=%d cpu_us=%d peak=%d oom=%d" % (code, cpu * 1e6, peak, out_of_memory)

    def killed_by_kernel(self, code, peak):
        """A container's memory holds the files of its folders too, and the kernel is quicker than we are."""
        if b"container" not in self.request.options or code != -_signal.SIGKILL or self.deadline is not None:
            return False
        folders = [os.statvfs(path) for path in SCRATCH]
        files = sum((folder.f_blocks - folder.f_bfree) * folder.f_frsize for folder in folders)
        return peak + files > 0.8 * self.request.memory


def widen(pipe):
    """Lets those at both ends of a pipe take turns less often."""
    import fcntl

    try:
        fcntl.fcntl(pipe, 1031, FLOOD_SIZE)  # F_SETPIPE_SZ
    except OSError:
        pass


def processor_time(pid):
    """The seconds that a process has used so far; 0 where nobody says."""
    import time

    try:
        return time.clock_gettime(~pid << 3 | 2)  # as clock_getcpuclockid(3) makes it
    except OSError:
        return 0


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


def memory_in_use(child, limit):
    """Of all processes. What they share since a fork is in the count of each: above the limit, each tells its share."""
    page = os.sysconf("SC_PAGE_SIZE")
    own, shared = {}, 0
    for pid in os.listdir("/proc") if os.getpid() == 1 else [child, *tree(child)]:
        if pid == "1":
            continue
        try:
            with open("/proc/%s/statm" % pid, "rb") as file:
                fields = file.read().split()
            own[pid] = (int(fields[1]) - int(fields[2])) * page
            shared = max(shared, int(fields[2]) * page)
        except (OSError, IndexError):
            pass
    used = sum(own.values()) + shared
    if used > limit:
        # Twice: the share of those that are left grows with each process that ends while we count.
        used = min(sum(share_of(pid, most) for pid, most in own.items()) for _ in range(2)) + shared
    return used


def share_of(pid, most):
    """A page that three processes hold counts for a third; who does not let us look counts as a whole."""
    try:
        with open("/proc/%s/smaps_rollup" % pid, "rb") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss_Anon:"))
    except (FileNotFoundError, ProcessLookupError):
        return 0  # it has ended
    except (OSError, StopIteration):
        return most


def overfull(folder):
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    return found.f_files - found.f_ffree > MAX_INODES


def send_reports(reports, wanted):
    """Passes on what the script's process reported, as far as it is whole; returns how many files it was, and bytes.

    The script can write there too: only variables that were asked for are passed on, each once.
    """
    count = total = at = 0
    wanted = {name.encode() for name in wanted}
    while at + 5 <= len(reports):
        kind, length = reports[at:at + 1], int.from_bytes(reports[at + 1:at + 5], "big")
        payload = reports[at + 5:at + 5 + length]
        at += 5 + length
        if len(payload) < length:
            break
        name, _, content = payload.partition(b"\0")
        if kind == b"V" and name in wanted and length <= MAX_VARIABLES_BYTES:
            wanted.remove(name)
            send(b"V", payload)
        elif kind == b"F" and count < MAX_FIGURES and length <= MAX_FILE_BYTES:
            count += 1
            total += len(content)
            send(b"F", free_name(name, count), b"\0", content)
    return count, total


def free_name(name, number):
    """figure-1.png for the first figure.png, unless the script has a file of that name."""
    stem, ending = os.path.splitext(os.path.basename(name)[:100])
    while os.path.lexists(b"%s-%d%s" % (stem, number, ending)):
        number += MAX_FIGURES
    return b"%s-%d%s" % (stem, number, ending)


def send_files(written, count, total, keep):
    """Sends regular files of the working folder that are new or changed; links are never followed.

    Those that are too large, or too many, to be held in memory go in pieces, as far as they are wanted.
    """
    import stat

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
                if name != b"__pycache__" and len(todo) < 1000:
                    todo.append(path)
                continue
            if not stat.S_ISREG(found.st_mode):
                continue
            if written.get(path) == stamp(found):
                continue
            if listed >= MAX_LISTED:
                return
            listed += 1
            small = found.st_size <= MAX_FILE_BYTES and total + found.st_size <= MAX_ALL_FILE_BYTES
            content = read_file(path) if small and count < MAX_FILES else None
            if content is not None:
                count += 1
                total += len(content)
                send(b"F", path, b"\0", content)
            elif found.st_size <= keep and send_in_pieces(path, found.st_size):
                keep -= found.st_size
            else:
                send(b"N", path, b"\0%d" % found.st_size)


def open_file(path):
    try:
        return open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    except OSError:
        return None


def read_file(path):
    file = open_file(path)
    if file is None:
        return None
    with file:
        content = file.read(MAX_FILE_BYTES + 1)
    return content if len(content) <= MAX_FILE_BYTES else None


def send_in_pieces(path, size):
    file = open_file(path)
    if file is None:
        return False
    send(b"L", path, b"\0%d" % size)
    with file:
        while size and (piece := file.read(min(size, READ_SIZE))):
            size -= len(piece)
            send(b"C", piece)
    return True


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
            try:
                _thread.start_new_thread(pump, (client, proxy, done))
                _thread.start_new_thread(pump, (proxy, client, done))
            except RuntimeError:  # no more threads to be had
                client.close()
                proxy.close()

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


def supervise(request, child, pipes, orders):
    listener = open_proxy_port() if request.proxy else None
    written = put_files(request)
    rehearsal = processor_time(child)
    request.pass_on(orders)
    watch = Watch(request, child, rehearsal, *pipes)
    if b"container" in request.options:
        withdraw(child)
    if listener is not None:
        serve_proxy_port(listener, request.proxy)
    if b"subreaper" in request.options and sys.platform == "linux":
        adopt_orphans()
    watch.run()
    send(b"D")
    send_files(written, *send_reports(bytes(watch.reports), request.variables), request.keep)
    send(b"X", watch.exit_words().encode())


def import_beforehand(names):
    """Imports what the script will import first, if nothing can tell the difference."""
    expect(not any(map(runs_later, sys.path)), "the environment has start-up code of its own")
    before = open_descriptors()
    read, write, err = out_of_the_way(*os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC), os.dup(2))
    os.dup2(write, 1)
    os.dup2(write, 2)
    for name in names:
        __import__(name)
    sys.stdout.flush()
    sys.stderr.flush()
    os.dup2(OUT, 1)
    os.dup2(err, 2)
    for fd in (write, err):
        os.close(fd)
    kept = open_descriptors() - before - {read}
    expect(all(map(may_be_shared, kept)), "an import keeps a connection open")
    expect(not os.read(read, 1), "an import prints something")  # the end, for nobody writes any more
    os.close(read)
    expect(no_threads_left(), "an import starts a thread")


def expect(condition, otherwise):
    if not condition:
        raise RuntimeError(otherwise)


def runs_later(folder):
    """Whether a folder of packages has code that the interpreter runs at its start, but only after us."""
    names = os.listdir(folder) if folder.endswith("site-packages") and os.path.isdir(folder) else ()
    return any(
        name in ("sitecustomize.py", "usercustomize.py") or name.endswith(".pth") and name > "python_sandbox.pth"
        for name in names
    )


def out_of_the_way(*descriptors):
    for low, high in zip(descriptors, IMPORTING):
        os.dup2(low, high, inheritable=False)
        os.close(low)
    return IMPORTING


def open_descriptors():
    found = set()
    for fd in range(256):
        try:
            os.fstat(fd)
            found.add(fd)
        except OSError:
            pass
    return found


def may_be_shared(descriptor):
    """A file or device, which we hold open too without using it, such as the one that random numbers come from."""
    import stat

    mode = os.fstat(descriptor).st_mode
    return stat.S_ISREG(mode) or stat.S_ISCHR(mode)


def no_threads_left():
    import _thread
    import time

    for _ in range(100):  # a timer that was cancelled needs a moment to go
        if not _thread._count():
            return True
        time.sleep(0.01)
    return False


def peak_memory():
    resource = unseen("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main():
    # Neither a script nor a Ctrl-C in the server's terminal is to end us.
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    beforehand = os.environ.pop("PYTHON_SANDBOX_IMPORTS", None)
    if beforehand:
        import_beforehand(beforehand.split())
    orders, *pipes = [os.pipe() for _ in range(4)]
    child = os.fork()
    if child == 0:
        os.close(orders[1])
        if beforehand is not None:
            os.write(pipes[-1][1], b"%d" % rehearse())
        # What is here already need not be taken apart when the script ends: half the time that leaving takes.
        unseen("gc").freeze()
        for read, _ in pipes:
            os.close(read)
        become_script(orders[0], *(write for _, write in pipes))
        return
    for unused in (orders[0], *(write for _, write in pipes)):
        os.close(unused)
    reading = [read for read, _ in pipes]
    send(b"R", b"%d" % (0 if beforehand is None else peak_memory() + int(os.read(reading[-1], 32))))
    for name in ("_socket", "select", "time"):
        __import__(name)  # while the request is on its way
    request = Request(0)
    if os.waitpid(child, os.WNOHANG)[0]:
        os._exit(1)  # it was killed while it waited: nothing has run, and the task is another sandbox's
    send(b"A")
    try:
        supervise(request, child, reading, orders[1])
    except BrokenPipeError:
        pass  # the server is gone, and what is in here goes with us
    except BaseException as error:
        send(b"!", repr(error).encode("utf-8", "replace"))
    end_everything(child)
    os._exit(0)


os.dup2(1, OUT, inheritable=False)
try:
    main()
except Exception as failure:
    send(b"!", repr(failure).encode("utf-8", "replace"))
    os._exit(70)
