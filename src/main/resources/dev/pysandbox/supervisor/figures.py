"""Collects what a script would show on a screen: figures of matplotlib, images of Pillow, plots of plotly.

It runs in the script's process, only if the script's text mentions plots. It imports nothing that the script does not
import itself: each library is patched right after it was loaded.
"""

import os
import sys

MAX_SIDE = 1600  # pixels: the size that models see

HOOKS = {}


def hook(name):
    return lambda patch: HOOKS.setdefault(name, patch)


class Finder:
    """Delegates to the finders after it; patches a library that has a hook after the library was executed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        patch = HOOKS.pop(name, None)
        if not HOOKS and Finder in sys.meta_path:
            sys.meta_path.remove(Finder)
        if patch is None:
            return None
        for finder in [each for each in sys.meta_path if each is not Finder]:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                patch_after_loading(spec.loader, patch)
                return spec
        return None


def patch_after_loading(loader, patch):
    def exec_module(module):
        del loader.exec_module
        loader.exec_module(module)
        try:
            patch(module)
        except Exception:
            pass  # a version with other internals: not patched

    loader.exec_module = exec_module


class Sender:
    """Sends pictures to the supervisor; processes that the script forks send none."""

    def __init__(self, send):
        self.send, self.pid, self.count = send, os.getpid(), 0

    def has_room(self):
        """Returns whether there may be another picture; reports it as missing if not."""
        if os.getpid() != self.pid:
            return False
        if self.count >= BOUNDS["figures"]:
            self.send(b"M", b"")
            return False
        return True

    def __call__(self, name, content):
        """Returns the number of the picture, or None."""
        if not self.has_room():
            return None
        if len(content) > BOUNDS["file_bytes"]:
            self.send(b"M", b"")
            return None
        self.count += 1
        self.send(b"F", name + b"\0" + content)
        return self.count - 1

    def is_file(self, number, path):
        """Reports that a file shows the same as a picture."""
        if os.getpid() == self.pid:
            self.send(b"S", b"%d\0%s" % (number, path))


def install(send):
    global deliver
    deliver = Sender(send)
    for name in [name for name in HOOKS if name in sys.modules]:
        HOOKS.pop(name)(sys.modules[name])
    if HOOKS:
        sys.meta_path.insert(0, Finder)


@hook("matplotlib.font_manager")
def quieten(module):
    # matplotlib warns on stderr that its first use takes a moment; in a new sandbox every use is the first.
    module._log.addFilter(lambda record: "building the font cache" not in record.getMessage())


@hook("matplotlib.pyplot")
def catch_figures(pyplot):
    import atexit
    import functools
    import weakref

    Figure = pyplot.Figure
    save = Figure.savefig
    seen, last = weakref.WeakSet(), []
    # The picture and the file of a figure that has not changed since: matplotlib calls a figure stale when it changes.
    pictures, files = weakref.WeakKeyDictionary(), weakref.WeakKeyDictionary()

    def picture(figure):
        import io
        import warnings

        if not deliver.has_room():
            return
        file = None if figure.stale else files.get(figure)
        buffer = io.BytesIO()
        dpi = min(figure.get_dpi(), MAX_SIDE / max(*figure.get_size_inches(), 0.1))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            save(figure, buffer, format="png", dpi=dpi, bbox_inches="tight")
        number = deliver(b"figure.png", buffer.getvalue())
        figure.stale = False
        if number is not None:
            pictures[figure] = number
            if file is not None:
                deliver.is_file(number, file)

    def image_file(name, options):
        """Returns the path of a file if it is an image that the result shows."""
        path = os.path.abspath(os.fsencode(name))
        if not os.path.splitext(path)[1]:
            path += b"." + os.fsencode(options.get("format") or pyplot.rcParams["savefig.format"])
        return path if path.lower().endswith((b".png", b".jpg", b".jpeg", b".webp", b".gif")) else None

    def open_figures():
        return [pyplot.figure(number) for number in pyplot.get_fignums()]

    @functools.wraps(pyplot.show)
    def show(*args, **kwargs):
        # As on a screen: shown figures are closed, and the next plot starts with a new figure.
        figures = open_figures()
        for figure in figures:
            picture(figure)
        if figures:
            last[:] = figures[-1:]
            pyplot.close("all")

    @functools.wraps(Figure.show)
    def show_one(self, warn=True):
        picture(self)
        seen.add(self)

    @functools.wraps(save)
    def savefig(self, fname, *args, **kwargs):
        number = None if self.stale else pictures.get(self)
        result = save(self, fname, *args, **kwargs)
        if isinstance(fname, (str, os.PathLike)):
            seen.add(self)
            path = image_file(fname, kwargs)
            if path is not None:
                files[self] = path
                self.stale = False
                if number is not None:
                    deliver.is_file(number, path)
        return result

    save_current = pyplot.savefig

    @functools.wraps(save_current)
    def save_current_or_last(*args, **kwargs):
        if last and not pyplot.get_fignums():
            return last[0].savefig(*args, **kwargs)
        return save_current(*args, **kwargs)

    def show_what_is_left():
        for figure in open_figures():
            if figure not in seen and figure.axes:
                try:
                    picture(figure)
                except Exception:
                    pass

    pyplot.show, Figure.show, Figure.savefig, pyplot.savefig = show, show_one, savefig, save_current_or_last
    atexit.register(show_what_is_left)  # runs before matplotlib's handler, which closes all figures


@hook("PIL.ImageShow")
def catch_images(module):
    def show(image, title=None, **options):
        import io

        small = image.copy()
        small.thumbnail((MAX_SIDE, MAX_SIDE))
        if small.mode not in ("1", "L", "LA", "I;16", "P", "RGB", "RGBA"):
            small = small.convert("RGB")
        buffer = io.BytesIO()
        small.save(buffer, "png")
        deliver(b"image.png", buffer.getvalue())
        return True

    module.show = show


@hook("plotly.io._renderers")
def catch_plots(module):
    def show(fig, *args, **kwargs):
        from plotly.io import to_html

        deliver(b"plot.html", to_html(fig, include_plotlyjs="cdn").encode())

    module.show = show
