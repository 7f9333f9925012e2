"""The first process of every sandbox. It reads the setup once, then a task, runs the task and sends its output.

It is loaded in one of two ways:
- by a .pth file of the script's environment, while `python script.py` starts and before `script.py` is opened. It
  forks. When the task has arrived, the child returns from here and the interpreter runs `script.py`: the script sees
  none of the supervisor's stack frames, arguments or modules.
- as a program, for tasks that run a command, such as an installer, instead of a script.

Both directions use frames: a type (one byte), a length (four bytes, big-endian), a payload.

Received, setup:   l resource limit        m bytes of memory       p endpoint of the proxy
                   b bound NAME=NUMBER     i module to import      o option, see Setup
                   w complete: wait for a task
Received, task:    a argument of a command s source of script.py   f file: name, NUL, content
                   e NAME=VALUE            v variable to report    o option: live, restricted
                   k bytes of large files  g complete: go          t the timeout has passed
Sent:              R ready: bytes of memory in use   A task accepted   1 2 output   D no process of the task is left
                   V variable: name, NUL, JSON       E value of the last statement
                   F file: name, NUL, content     L large file: name, NUL, size
                   C part of the large file          N file not sent: name, NUL, size
                   X exit: key=value words           ! the supervisor failed: the reason
Script's process:  V, E and F as above      S path to which a figure was saved: number, NUL, path
                   M one figure more than are returned

Before the fork only modules that every interpreter has already loaded may be used: the script would find other modules
in sys.modules. The modules to import (frame i) are those that the script imports first. The child imports them before
the task arrives. Code of a package may be hostile, so the parent limits the memory of the child while it imports, and
then stops the child until the task arrives.
"""

import os
import sys

import _signal

# The signal that makes the script's interpreter flush its output and exit. macOS has no real-time signals.
STOP = getattr(_signal, "SIGRTMAX", _signal.SIGUSR2 + 1) - 1
PROXY_PORT = 3128  # also in ProxyVariables.java
# The supervisor's descriptors have high numbers, so that imports and the script get the same low numbers as without it.
PIPES = 80  # the first of eight: both ends of the four pipes between parent and child
OUT = 90  # to the server
IMPORTING = (91, 92)
REPORTS = 99  # from the script's process, for variables, figures and the value
PICTURES = (b"plot", b"plt", b"pylab", b"seaborn", b"PIL")  # a script without these words shows no figures
COLLECTION = (b"gc", b"__del__", b"weakref")  # a script without these words does not observe garbage collection
# A script with these words could observe value.py, which watches the script's code and forks.
WATCHING = (b"monitoring", b"settrace", b"setprofile", b"audithook", b"at_fork", b"SIGCHLD")
# Lines that begin a statement with the words of a script, but not an expression.
STATEMENTS = frozenset(
    b"@ as assert async break class continue def del elif else except finally for from global if import match"
    b" nonlocal pass raise return try type while with".split())
LONGEST_PARSED = 100_000  # bytes of a script

SCRATCH = ("/work", "/tmp", "/home/user", "/dev/shm")


def send(kind, *parts):
    write_all(OUT, frame(kind, *parts))


def read_exactly(source, count):
    parts = []
    while count:
        part = os.read(source, min(count, 1 << 20))
        if not part:
            os._exit(0)  # the server has closed the pipe
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


def moved(descriptor, number):
    """Moves an open file to another descriptor and returns that."""
    os.dup2(descriptor, number, inheritable=False)
    os.close(descriptor)
    return number


def pipe(number):
    """Opens a pipe and moves its ends to high descriptors."""
    return [moved(end, PIPES + 2 * number + side) for side, end in enumerate(os.pipe())]


def close(descriptor):
    try:
        os.close(descriptor)
    except OSError:
        pass  # code of a package has closed it already


def number(payload):
    name, _, value = payload.decode().partition("=")
    return name, int(value)


class Setup:
    """The settings of this sandbox, for all its tasks. Its options:

    prepare     the task arrives later: there is time to prepare the child
    exposed     all processes inside have the same user, and the kernel may kill any of them when memory runs out
    limited     the kernel counts and limits the memory of all processes together
    unreadable  the server can't read that count
    subreaper   the supervisor is not PID 1: it becomes the parent of processes whose parent has ended
    repeat      further tasks follow the first
    """

    def __init__(self, source):
        self.limits, self.bounds, self.imports, self.options = [], {}, [], set()
        self.memory, self.proxy = 0, None
        while True:
            kind, payload = read_frame(source)
            if kind == b"w":
                break
            if kind == b"l":
                self.limits.append(number(payload))
            elif kind == b"b":
                name, value = number(payload)
                self.bounds[name] = value
            elif kind == b"i":
                self.imports.append(payload.decode())
            elif kind == b"m":
                self.memory = int(payload)
            elif kind == b"p":
                self.proxy = payload.decode().split(" ")
            elif kind == b"o":
                self.options.add(payload.decode())
        self.exposed = "exposed" in self.options


class Task:
    def __init__(self, source):
        self.argv, self.files, self.variables, self.options = [], [], [], set()
        self.environ, self.script, self.keep = [], None, 0
        while True:
            kind, payload = read_frame(source)
            if kind == b"g":
                break
            if kind == b"a":
                self.argv.append(payload)
            elif kind == b"s":
                self.script = payload
            elif kind == b"f":
                self.files.append(payload.split(b"\0", 1))
            elif kind == b"e":
                self.environ.append(payload.split(b"=", 1))
            elif kind == b"v":
                self.variables.append(payload.decode())
            elif kind == b"k":
                self.keep = int(payload)
            elif kind == b"o":
                self.options.add(payload)
        if self.mentions(PICTURES):
            self.options.add(b"pictures")
        if self.mentions(COLLECTION):
            self.options.add(b"collection")
        if self.script and may_end_with_value(self.script) and not self.mentions(WATCHING):
            self.options.add(b"value")

    def mentions(self, words):
        sources = [content for name, content in self.files if name.endswith(b".py")]
        sources += [] if self.script is None else [self.script]
        return not self.argv and any(word in source for source in sources for word in words)

    def pass_on(self, target):
        """Sends the child what it needs to run the task. One write avoids switches between the two processes."""
        frames = [frame(b"a", argument) for argument in self.argv]
        frames += [frame(b"e", name, b"=", value) for name, value in self.environ]
        frames += [frame(b"v", name.encode()) for name in self.variables]
        frames += [frame(b"o", option) for option in self.options]
        write_all(target, b"".join([*frames, frame(b"g")]))


def may_end_with_value(script):
    """Returns whether the last statement may be an expression that does not print, by a look at the last lines."""
    for line in reversed(script.splitlines() if len(script) <= LONGEST_PARSED else ()):
        text = line.strip()
        if b"print(" in text:
            return False
        if text and text[:1] != b"#" and line[:1] not in b" \t)]}":
            word = text.split(maxsplit=1)[0].rstrip(b":")
            return b";" in line or word not in STATEMENTS and text[:1] != b"@"
    return False


def file_state(found):
    return found.st_ino, found.st_size, found.st_mtime_ns


def write_files(task):
    """Writes the script and its files into the working folder; returns the state of each, to recognize changes."""
    written = {}
    files = task.files if task.script is None else task.files + [[b"script.py", task.script]]
    for name, content in files:
        folder = os.path.dirname(name)
        if folder:
            os.makedirs(folder, exist_ok=True)
        # Code that ran before may have created a link or a FIFO with this name.
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        write_all(file, content)
        written[name] = file_state(os.fstat(file))
        os.close(file)
    return written


# --- the child ------------------------------------------------------------------------------------------------------


def become_script(setup, commands, stdout, stderr, reports):
    """Makes the forked child what `python script.py` would be at this point, or executes the command."""
    task = Task(commands)
    if setup.exposed and not setup.imports:
        raise_oom_score_and_stop()
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    pictures = b"pictures" in task.options
    value = b"value" in task.options
    if task.variables or pictures or value:
        os.dup2(reports, REPORTS, inheritable=False)
    for ours in (nothing, OUT, commands, stdout, stderr, reports):
        close(ours)
    for name, value in task.environ:
        os.environb[name] = value
    apply_limits(setup.limits)
    if task.argv:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        try:
            os.execve(task.argv[0], task.argv, os.environb)
        except OSError as error:
            os.write(2, b"can't start %s: %s\n" % (task.argv[0], error.strerror.encode()))
            os._exit(127)
    if b"collection" in task.options:
        import_hidden("gc").unfreeze()
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    _signal.signal(STOP, flush_and_leave)
    if b"live" in task.options:
        sys.stdout.reconfigure(line_buffering=True)
    if task.variables:
        report_variables_at_exit(task.variables)
    if pictures:
        load_sibling("figures.py", BOUNDS=setup.bounds)["install"](report)
    if b"restricted" in task.options:
        load_sibling("restricted.py")["enforce"]("script.py")
    if value:
        load_sibling("value.py", report=report, import_hidden=import_hidden)["install"]("script.py", setup.memory)


def raise_oom_score_and_stop():
    """Makes the kernel kill this process before the supervisor when memory runs out. Then stops this process until the
    parent has protected its memory."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    os.kill(os.getpid(), _signal.SIGSTOP)


def apply_limits(limits, pid=0):
    """Limits a process, or this one."""
    resource = import_hidden("resource") if limits else None
    for name, value in limits:
        limit = getattr(resource, "RLIMIT_" + name)
        hard = resource.getrlimit(limit)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        if not pid:
            resource.setrlimit(limit, (value, value))
        elif hasattr(resource, "prlimit"):
            resource.prlimit(pid, limit, (value, value))


def import_hidden(name, found={}):
    """Imports a module of the standard library without leaving it in sys.modules for the script."""
    if name not in found:
        known = name in sys.modules
        found[name] = __import__(name)
        if not known:
            del sys.modules[name]
    return found[name]


def prepare(setup, commands, reports):
    """Prepares the child before the task arrives; reports how much memory that took, or the error."""
    try:
        if setup.imports:
            import_in_advance(setup, commands)
        prefault()
        os.write(reports, b"%d" % (import_hidden("resource").getrusage(0).ru_minflt * os.sysconf("SC_PAGE_SIZE")))
    except BaseException as failure:
        os.write(reports, b"!" + repr(failure).encode("utf-8", "replace")[:1000])
        os._exit(70)


def import_in_advance(setup, commands):
    """Imports the modules that the script imports first; fails if the script could notice it. The imported code can
    reach neither the server nor the task."""
    if setup.exposed:
        raise_oom_score_and_stop()
    os.read(commands, 1)  # waits until the parent counts memory
    require(not any(map(has_startup_code, sys.path)), "the environment has start-up code of its own")
    os.close(OUT)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    before = open_descriptors()
    read, write = map(moved, os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC), IMPORTING)
    os.dup2(write, 1)
    os.dup2(write, 2)
    for name in setup.imports:
        # As in a script, so that a warning for the importing module is printed, and the script prints it instead.
        exec(compile("import " + name, "script.py", "exec"), {"__name__": "__main__"})
    sys.stdout.flush()
    sys.stderr.flush()
    os.dup2(0, 1)
    os.dup2(0, 2)
    os.close(write)
    kept = open_descriptors() - before - {read}
    require(all(map(may_be_shared, kept)), "an import keeps a connection open")
    require(not os.read(read, 1), "an import prints something")  # at the end of the pipe: its other end is closed
    os.close(read)
    require(no_threads_left(), "an import starts a thread")
    require(not os.listdir(), "an import makes files")


def require(condition, otherwise):
    if not condition:
        raise RuntimeError(otherwise)


def has_startup_code(folder):
    """Returns whether a folder of packages has code that the interpreter runs at its start, after the supervisor."""
    names = os.listdir(folder) if folder.endswith("site-packages") and os.path.isdir(folder) else ()
    return any(
        name in ("sitecustomize.py", "usercustomize.py", "sitecustomize", "usercustomize")
        or name.endswith((".pth", ".start")) and name != "!python_sandbox.pth"
        for name in names
    )


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
    """Returns whether a descriptor that an import left open is harmless: a file or a device, such as /dev/urandom."""
    import stat

    mode = os.fstat(descriptor).st_mode
    return stat.S_ISREG(mode) or stat.S_ISCHR(mode)


def no_threads_left():
    import _thread
    import time

    for _ in range(100):  # a cancelled timer ends after a moment
        if not _thread._count():
            return True
        time.sleep(0.01)
    return False


def prefault():
    """Writes to the pages that running and exiting will write to, so that the kernel copies them now and not then."""
    gc = import_hidden("gc")
    for each in gc.get_objects():
        gc.get_referents(each)


def flush_and_leave(signum, frame):
    # Saves the output so far and skips the exit handlers, which could block.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    os._exit(128 + _signal.SIGKILL)


def load_sibling(name, **scope):
    """Runs a file in the folder of this one, from its bytecode if that exists; returns what it defines. It is not
    imported, so the script does not find it in sys.modules."""
    module = name.partition(".")[0]
    loader = sys.modules["_frozen_importlib_external"].SourceFileLoader(
        module, os.path.join(os.path.dirname(__file__), name))
    scope["__name__"] = module
    exec(loader.get_code(module), scope)
    return scope


def report_variables_at_exit(names):
    # Registered before the script's handlers, so it runs after all of them.
    import atexit

    pid = os.getpid()

    def report_variables():
        if os.getpid() != pid:  # a process that the script forked
            return
        for described in load_sibling("variables.py")["describe_all"](sys.modules["__main__"].__dict__, names):
            report(b"V", described)

    atexit.register(report_variables)


def report(kind, payload):
    """Sends a frame to the supervisor."""
    write_all(REPORTS, frame(kind, payload))


# --- the parent -----------------------------------------------------------------------------------------------------


def cpu_time(pid):
    """Returns the CPU seconds that a process has used so far; 0 if they can't be read."""
    import time

    try:
        return time.clock_gettime(~pid << 3 | 2)  # the clock id that clock_getcpuclockid(3) returns
    except OSError:
        return 0


def kill(pid, signum):
    try:
        os.kill(pid, signum)
    except OSError:
        pass


def tree(root):
    """Returns the descendants of a process according to /proc."""
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
    for _ in range(8):  # again for processes that were forked meanwhile
        below = tree(os.getpid())
        if not below:
            return
        for pid in below:
            kill(pid, _signal.SIGKILL)


def open_proxy_port():
    import _socket

    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", PROXY_PORT))
    listener.listen(128)
    listener.setblocking(False)
    return listener


def adopt_orphans():
    """Makes orphaned descendants children of the supervisor, which kills them. PID 1 does not need this."""
    import ctypes

    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def make_undumpable(child):
    """Clears PR_SET_DUMPABLE, so that processes of the same user can't access the supervisor's memory through /proc.
    Then lets the child continue."""
    import ctypes

    if ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) != 0:  # PR_SET_DUMPABLE
        raise OSError("the supervisor's memory can't be closed to the script")
    if not os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1]):
        raise OSError("the script's process ended before its start")
    os.kill(child, _signal.SIGCONT)


def load_parts(setup):
    """Loads the modules that only the parent needs, while the child starts or waits. They start no threads: each would
    have an entry under /proc through which the script could reach the supervisor."""
    memory = load_memory()
    watch = load_sibling(
        "watch.py", send=send, kill=kill, end_everything=end_everything, scratch=memory["scratch"], OUT=OUT, STOP=STOP,
        SCRATCH=SCRATCH)
    files = load_sibling("files.py", send=send, file_state=file_state, BOUNDS=setup.bounds)
    return {**watch, **memory, **files, **load_sibling("proxy.py")}


def load_memory():
    return load_sibling("memory.py", tree=tree, SCRATCH=SCRATCH)


def supervise(setup, task, child, pipes, commands, parts):
    listener = open_proxy_port() if setup.proxy else None
    written = write_files(task)
    startup_cpu = cpu_time(child)
    before = None
    if setup.memory and os.getpid() == 1 and "limited" not in setup.options:
        # A control group also counts shared memory. Without one, the use of the whole machine is compared.
        before = (parts or load_memory())["machine"]()
    if setup.imports:
        # A package can change what the child knows of its limits. The child still needs a descriptor above that limit.
        apply_limits([limit for limit in setup.limits if limit[0] != "NOFILE"], child)
        kill(child, _signal.SIGCONT)
    task.pass_on(commands)
    if setup.exposed and not setup.imports:
        make_undumpable(child)
    parts = parts or load_parts(setup)
    count = parts["Count"](child, before)
    watch = parts["Watch"](setup, child, count, startup_cpu, *pipes)
    if listener is not None:
        watch.bridge = parts["Bridge"](listener, setup.proxy, watch.poll)
    if "subreaper" in setup.options and sys.platform == "linux":
        adopt_orphans()
    watch.run()
    if listener is not None:
        watch.bridge.end()
    send(b"D")
    count, total, missing = parts["send_reports"](bytes(watch.reports), task.variables)
    parts["send_files"](written, count, total, task.keep, task.script is not None)
    send(b"X", b"%s figures=%d" % (watch.exit_words().encode(), missing))


def await_imports(setup, child, commands, reports):
    """Limits the child's memory while it imports, then stops it until the task arrives; returns its report."""
    import select

    memory = load_memory()
    count = memory["Count"](child, memory["machine"]() if os.getpid() == 1 else None)
    if setup.exposed:
        make_undumpable(child)
    os.write(commands, b"G")
    poll = select.poll()
    poll.register(reports, select.POLLIN)
    poll.register(0, 0)
    ready = ()
    while reports not in ready:
        ready = dict(poll.poll(100))
        if 0 in ready:  # the server has closed the pipe
            end_everything(child)
            os._exit(0)
        require(count.in_use(setup.memory, 0) <= setup.memory, "an import needs more memory than a script may use")
    report = os.read(reports, 4096)
    require(report.isdigit(), report[1:].decode("utf-8", "replace") or "an import ends the interpreter")
    if os.getpid() == 1:  # else a stopped child could outlive a killed supervisor
        os.kill(-1, _signal.SIGSTOP)
        require(os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1]), "an import ends the interpreter")
        require(set(filter(str.isdigit, os.listdir("/proc"))) <= {"1", str(child)}, "an import leaves a process")
        require(not memory["has_shared_anonymous"](child), "an import keeps shared memory")
        require(not memory["lines"]("/proc/%d/timers" % child), "an import keeps a timer, which could continue it")
        report = b"%d" % (int(report) + memory["scratch"]())
    return report


def peak_memory():
    resource = import_hidden("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def run_task(setup, child, commands, reading):
    """Prepares the child, waits for a task and runs it in the child."""
    prepared = "prepare" in setup.options
    try:
        report = await_imports(setup, child, commands, reading[-1]) if setup.imports else b"0"
    except BaseException:
        end_everything(child)
        raise
    if prepared:
        report = b"%d" % (peak_memory() + int(report if setup.imports else os.read(reading[-1], 32)))
    send(b"R", report)
    for fd in reading:
        os.set_blocking(fd, False)  # the script can read from its pipes, so data that poll reported may be gone
    for name in ("_socket", "select", "time"):
        __import__(name)  # saves time while the task is sent
    parts = load_parts(setup) if prepared else None
    task = Task(0)
    if os.waitpid(child, os.WNOHANG)[0]:
        os._exit(1)  # it was killed while it waited: the task has not run, so the server can use another sandbox
    send(b"A")
    try:
        supervise(setup, task, child, reading, commands, parts)
    except BrokenPipeError:
        os._exit(0)  # the server has closed the pipe
    except BaseException as error:
        send(b"!", repr(error).encode("utf-8", "replace")[:2000])
    end_everything(child)


def main():
    # Neither a script nor a Ctrl-C in the server's terminal may end the supervisor.
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    setup = Setup(0)
    loaded = set(sys.modules)
    while True:
        commands, *pipes = map(pipe, range(4))
        child = os.fork()
        if child == 0:
            os.close(commands[1])
            for read, _ in pipes:
                os.close(read)
            if "prepare" in setup.options:
                prepare(setup, commands[0], pipes[-1][1])
            # Excludes existing objects from the last collection, which would take half of the time to exit.
            import_hidden("gc").freeze()
            become_script(setup, commands[0], *(write for _, write in pipes))
            return
        for unused in (commands[0], *(write for _, write in pipes)):
            os.close(unused)
        run_task(setup, child, commands[1], [read for read, _ in pipes])
        if "repeat" not in setup.options:
            os._exit(0)
        for name in set(sys.modules) - loaded:  # else the next script would find them in sys.modules
            del sys.modules[name]


os.dup2(1, OUT, inheritable=False)
try:
    main()
except Exception as failure:
    send(b"!", repr(failure).encode("utf-8", "replace")[:2000])
    os._exit(70)
