# What a script could notice of an import that happened before it started. It is put between the imports and the work of
# each package. The probe at its end goes to a file, which is not compared: whether the import happened beforehand. The
# supervisor has then frozen the module, and the collector does not list it; a script that names the collector is not
# frozen, so its name is in two pieces. Not printed is what a script with plots differs in, whenever it imports: the
# supervisor's hook for figures, its exit handler and its descriptor.
import sys
# Python moves "site" behind what was imported while it ran, which includes the supervisor's .pth file. It imports
# "unicodedata" to compile a source that names a character, if there is no bytecode of it yet.
print(*(name for name in sys.modules if name not in ("site", "unicodedata")), sep="\n")
import atexit, builtins, decimal, locale, logging, os, random, signal, socket, threading, warnings
collector = __import__("g" "c")
print(sorted(os.environ.items()))
print(sys.path, [name for name in (getattr(f, "__name__", type(f).__name__) for f in sys.meta_path) if name != "Finder"], len(sys.path_hooks))
print(*warnings.filters, sep="\n")
print([(s, signal.getsignal(s)) for s in signal.valid_signals() if s != signal.SIGRTMAX - 1 and signal.getsignal(s)], signal.pthread_sigmask(0, []))
print(threading.active_count(), len(os.listdir("/proc/self/task")), sorted(fd for fd in os.listdir("/proc/self/fd") if int(fd) < 80))
print(sys.excepthook is sys.__excepthook__, sys.displayhook is sys.__displayhook__, sys.unraisablehook is sys.__unraisablehook__, threading.excepthook is threading.__excepthook__, sys.gettrace(), sys.getprofile())
print([sorted(vars(s.buffer.raw)) + [s.fileno(), s.encoding, s.errors, s.line_buffering, s.isatty()] for s in (sys.stdin, sys.stdout, sys.stderr)])
print(sorted((name, each.level, len(each.handlers), each.propagate, each.disabled) for name, each in logging.root.manager.loggerDict.items() if isinstance(each, logging.Logger)))
print(logging.root.level, logging.root.handlers, logging.raiseExceptions)
print(locale.setlocale(locale.LC_ALL), decimal.getcontext(), socket.getdefaulttimeout(), sys.getrecursionlimit(), sys.getswitchinterval())
print(os.getcwd(), sorted(os.listdir()), os.getsid(0) == os.getpid(), collector.isenabled(), collector.get_threshold(), collector.callbacks)
print(sorted(dir(builtins)), sorted(globals()), atexit._ncallbacks() if "matplotlib" not in sys.modules else "")
print(sorted(os.path.relpath(os.path.join(folder, name), os.path.expanduser("~")) for folder, _, names in os.walk(os.path.expanduser("~")) for name in names))
random.seed(1)
print(random.random(), sys._getframe().f_back, sys.flags)
with open("beforehand", "w") as file:
    known = [id(each) for each in collector.get_objects()]
    file.write(str(all(id(vars(sys.modules[name])) not in known for name in EARLY)))
