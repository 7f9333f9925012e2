"""Figures that a script shows come back as images, without changes to the script."""

import shutil

import pytest

from harness.results import png_size

MATPLOTLIB = ["matplotlib==3.10.7"]
PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\n"


def names(result) -> list[str]:
    return [file["name"] for file in result.structured["files"]]


EVERY_WAY = (
    PLOT
    + """plt.title('Ünï')
plt.show()
plt.savefig('saved-after-showing.png')
plt.bar([1, 2], [3, 4])
plt.show()
fig, ax = plt.subplots(figsize=(40, 20))
ax.plot([1, 2])
fig.show()
plt.figure()
plt.plot([3, 2])
plt.savefig('saved-only.png')
plt.figure()
plt.plot([1, 1])
plt.close()
open('figure-3.png', 'w').write('mine')
plt.figure()
plt.pie([1, 2])
1/0
"""
)


@pytest.mark.on_docker
def test_figures_come_back_shown_or_left_open(server):
    result = server.run(EVERY_WAY, dependencies=MATPLOTLIB, timeout_seconds=60).expect("script_error")
    shown = ["figure-1.png", "figure-2.png", "figure-19.png"]
    assert names(result) == [*shown, "figure-3.png", "saved-after-showing.png", "saved-only.png"]
    assert len(result.images) == 5
    for image in result.images:
        width, height = png_size(image)
        assert 300 < width <= 1600 and 200 < height <= 1600
    assert result.stderr.startswith("Traceback") and result.stderr.endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.on_docker
def test_a_plot_is_the_only_file(server):
    result = server.run(PLOT + "plt.show()", dependencies=MATPLOTLIB, timeout_seconds=60).expect("ok")
    assert names(result) == ["figure-1.png"] and "deleted with the sandbox" not in result.warnings


@pytest.mark.native_only
@pytest.mark.skipif(not shutil.which("fc-list"), reason="needs fontconfig")
def test_the_cache_of_fonts_is_hidden(server):
    script = """
import os, subprocess
subprocess.run(["fc-list"], stdout=subprocess.DEVNULL, check=True)
print(len(os.listdir(os.path.expanduser("~/.cache/fontconfig"))) > 0)
"""
    result = server.run(script).expect("ok")
    assert result.stdout == "True\n" and result.structured.get("files", []) == [] and not result.warnings


@pytest.mark.any_backend
def test_shown_figures_survive_a_timeout(server):
    hanging = PLOT + "plt.show()\nimport time\ntime.sleep(60)"
    result = server.run(hanging, dependencies=MATPLOTLIB, timeout_seconds=20).expect("timed_out")
    assert len(result.images) == 1


SAVED_AND_SHOWN = """
plt.savefig('saved-first')
plt.show()
plt.plot([2, 1])
plt.savefig('document.pdf')
plt.show()
plt.plot([5, 1])
plt.savefig('older.png')
plt.title('changed since')
plt.show()
for number in range(2):
    plt.plot([number, 1])
    plt.savefig('again.png')
    plt.show()
plt.plot([7, 1])
plt.savefig('deleted.png')
plt.show()
import os
os.remove('deleted.png')
"""


def test_a_figure_that_is_saved_and_shown_comes_back_once(server):
    result = server.run(PLOT + SAVED_AND_SHOWN, dependencies=MATPLOTLIB, timeout_seconds=60).expect("ok")
    # Shown: the one saved as PDF, the changed one, the one whose file was replaced, the one whose file was deleted.
    shown = [f"figure-{number}.png" for number in (1, 2, 3, 4)]
    assert names(result) == [*shown, "again.png", "document.pdf", "older.png", "saved-first.png"]
    assert len(result.images) == 7


def test_figures_beyond_the_limit_are_said(server):
    script = PLOT + "plt.show()\nfor _ in range(18):\n    plt.figure(figsize=(1, 1))\n    plt.plot([1])\n    plt.show()"
    result = server.run(script, dependencies=MATPLOTLIB, timeout_seconds=60).expect("ok")
    assert len(names(result)) == 16 and "3 more figures were not returned" in result.warnings


@pytest.mark.on_docker
def test_pillow_shows(server):
    script = "from PIL import Image\nImage.new('CMYK', (400, 300), (0, 255, 255, 0)).show()"
    result = server.run(script, dependencies=["pillow==12.0.0"]).expect("ok")
    assert [png_size(image) for image in result.images] == [(400, 300)]
    assert result.stderr == ""


def test_plotly_shows_as_a_page(server):
    script = "import plotly.graph_objects as go\ngo.Figure(go.Bar(y=[2, 3])).show()"
    result = server.run(script, dependencies=["plotly==6.5.0"]).expect("ok")
    (page,) = result.structured["files"]
    assert page["name"] == "plot-1.html" and page["type"] == "text/html" and 1000 < page["size"] <= 40 << 10
    (attached,) = [item["resource"] for item in result.raw["content"] if item["type"] == "resource"]
    assert attached["mimeType"] == "text/html" and len(attached["text"].encode()) == page["size"]
    assert "plotly" in attached["text"] and "deleted with the sandbox" not in result.warnings


def test_scripts_that_show_nothing_see_nothing_of_it(server):
    script = (
        "import os, sys\n"
        "print([f for f in sys.meta_path if 'Finder' in repr(f) and 'frozen' not in repr(f)],"
        " 'MPLBACKEND' in os.environ, os.listdir('/proc/self/fd')[4:])"
    )
    assert server.run(script).expect("ok").stdout == "[] False []\n"
