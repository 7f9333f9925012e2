"""Files in, files out, variables reported."""

import base64

import pytest

pytestmark = [pytest.mark.as_user, pytest.mark.on_docker]

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_text_and_base64_files_are_there_before_the_script(server):
    files = {
        "data/input.csv": "a,b\n1,2\n",
        "blob.bin": {"base64": base64.b64encode(b"\x00\xff\x01").decode()},
        "ünï.txt": "東京",
    }
    script = (
        "print(open('data/input.csv').read())\n"
        "print(open('blob.bin', 'rb').read())\n"
        "print(open('ünï.txt', encoding='utf-8').read())\n"
    )
    result = server.run(script, files=files).expect("ok")
    assert result.stdout == "a,b\n1,2\n\nb'\\x00\\xff\\x01'\n東京\n"


def test_files_can_be_imported(server):
    assert server.run("import helper; print(helper.x)", files={"helper.py": "x = 5"}).expect("ok").stdout == "5\n"


@pytest.mark.parametrize("name", ["../up.txt", "/etc/evil", "a/../../b", "", ".", "a\x00b", "a/../b", "~/x/../../y"])
def test_bad_names_are_refused_with_the_name(server, name):
    result = server.run("print(1)", files={name: "x"})
    assert result.is_error
    assert "files" in result.text


def test_bad_base64_is_refused(server):
    result = server.run("print(1)", files={"a.bin": {"base64": "***"}})
    assert result.is_error and "a.bin" in result.text and "base64" in result.text


def test_working_folder_is_writable_and_fresh(server):
    script = "import os\nprint(sorted(os.listdir('.')))\nopen('left.txt', 'w').write('x')"
    for _ in range(2):
        assert "left.txt" not in server.run(script).expect("ok").stdout


def test_made_files_are_listed_with_size(server):
    result = server.run("open('out.txt', 'w').write('hello')").expect("ok")
    made = {file["name"]: file for file in result.structured["files"]}
    assert made["out.txt"]["size"] == 5
    assert "out.txt" in result.section("files").body


def test_given_files_are_not_listed_unless_changed(server):
    result = server.run("open('b', 'a').write('more')", files={"a": "1", "b": "2"}).expect("ok")
    assert [file["name"] for file in result.structured["files"]] == ["b"]


def test_image_comes_back_as_image_content(server):
    result = server.run(f"open('dot.png', 'wb').write({PNG!r})").expect("ok")
    images = [item for item in result.raw["content"] if item["type"] == "image"]
    assert [(item["mimeType"], base64.b64decode(item["data"])) for item in images] == [("image/png", PNG)]


def test_small_binary_files_are_attached(server):
    script = "import sqlite3\nwith sqlite3.connect('a b.sqlite') as base: base.execute('create table t (x)')"
    result = server.run(script).expect("ok")
    (file,) = result.structured["files"]
    assert file["type"] == "application/vnd.sqlite3" and file["note"] == "attached" and "sha256" not in file
    (attached,) = [item["resource"] for item in result.raw["content"] if item["type"] == "resource"]
    assert (attached["uri"], attached["mimeType"]) == ("sandbox:/a%20b.sqlite", file["type"])
    content = base64.b64decode(attached["blob"])
    assert content.startswith(b"SQLite format 3") and len(content) == file["size"]
    assert not result.warnings or "not kept" not in result.warnings


def test_longer_texts_are_attached_as_text(server):
    result = server.run("import csv\ncsv.writer(open('t.csv', 'w', newline='')).writerows([[1, 'ä']] * 1000)").expect("ok")
    assert [file["note"] for file in result.structured["files"]] == ["attached"] and "deleted with the sandbox" not in result.warnings
    (attached,) = [item["resource"] for item in result.raw["content"] if item["type"] == "resource"]
    assert attached == {"uri": "sandbox:/t.csv", "mimeType": "text/csv", "text": "1,ä\r\n" * 1000}


def test_files_that_are_lost_are_said(server):
    result = server.run("open('big.bin', 'wb').write(bytes(100_000))\nopen('t.csv', 'w').write('a,b\\n' * 20000)").expect("ok")
    assert [file["note"] for file in result.structured["files"]] == ["not kept", "not kept"]
    assert "2 files were deleted" in result.warnings and "--keep-files" in result.warnings
    assert "t.csv (80000 bytes, text/csv, not kept)" in result.text


def test_files_outside_of_the_working_folder_are_named(server):
    script = """
import os, tempfile
home, temporary = os.path.expanduser("~"), tempfile.gettempdir()
for folder in (home + "/.cache/lib", home + "/out", temporary + "/deep/er"):
    os.makedirs(folder)
    open(folder + "/note.txt", "w").write(folder)
os.symlink("/etc/hostname", temporary + "/link")
os.symlink("/etc", temporary + "/folder")
os.mkfifo(home + "/pipe")
open(temporary + "/dot.png", "wb").write(PNG)
print(home, temporary)
""".replace("PNG", repr(PNG))
    result = server.run(script).expect("ok")
    home, temporary = result.stdout.split()
    found = {file["name"]: file.get("text") for file in result.structured["files"]}
    assert found == {
        f"{temporary}/dot.png": None,
        f"{temporary}/deep/er/note.txt": f"{temporary}/deep/er",
        f"{home}/out/note.txt": f"{home}/out",
    }
    assert result.images == [PNG]


def test_links_are_not_followed(server):
    result = server.run("import os\nos.symlink('/etc/hostname', 'link.txt')").expect("ok")
    assert not result.structured.get("files")


def test_variables_are_reported_as_values(server):
    script = "a = 42\nb = [1, 'two', None]\nc = {'k': 1.5}\nd = True\ne = 'text'"
    result = server.run(script, variables=["a", "b", "c", "d", "e"]).expect("ok")
    assert result.structured["variables"] == {"a": 42, "b": [1, "two", None], "c": {"k": 1.5}, "d": True, "e": "text"}
    body = result.section("variables").body
    assert body.splitlines() == ["a = 42", "b = [1, 'two', None]", "c = {'k': 1.5}", "d = True", "e = 'text'"]


def test_variables_that_are_not_json_are_described(server):
    variables = server.run("import math\ns = {1}\nm = math\nn = float('nan')", variables=["s", "m", "n"]).structured["variables"]
    assert "1" in str(variables["s"]) and "math" in str(variables["m"]) and "nan" in str(variables["n"]).lower()


def test_missing_variable_does_not_spoil_the_others(server):
    result = server.run("x = 1", variables=["x", "nope"]).expect("ok")
    assert result.structured["variables"]["x"] == 1
    assert "nope is not defined" in result.text


def test_variables_are_reported_after_an_exception(server):
    result = server.run("x = 1\n1/0", variables=["x"]).expect("script_error")
    assert result.structured["variables"]["x"] == 1


def test_hostile_variables_do_no_harm(server):
    script = (
        "class Evil:\n"
        "    def __repr__(self): raise SystemError('no')\n"
        "    __str__ = __reduce__ = __repr__\n"
        "x = Evil()\n"
        "y = []\ny.append(y)\n"
        "z = 'z' * 50_000_000\n"
    )
    result = server.run(script, variables=["x", "y", "z"]).expect("ok")
    assert len(result.text) < 1_000_000


def test_long_values_are_cut(server):
    variables = server.run("x = 'x' * 100_000\ny = [1] * 50_000", variables=["x", "y"]).expect("ok").structured["variables"]
    assert variables["x"]["length"] == 100_000 and len(variables["x"]["repr"]) < 3000
    assert variables["y"]["length"] == 50_000 and "more characters" in variables["y"]["repr"]


def test_variables_that_are_too_large_together_are_errors(server):
    names = [f"v{number}" for number in range(40)]
    script = "\n".join(f"{name} = 'x' * 19_000" for name in names)
    variables = server.run(script, variables=names).expect("ok").structured["variables"]
    assert variables["v0"] == "x" * 19_000
    assert "400000 bytes together" in variables["v39"]["error"]


def test_a_table_with_long_names_is_described(server):
    script = """
class Table:
    shape, dtypes, columns = (1, 50), ["int"] * 50, [f"{number}" * 5_000 for number in range(50)]
    head = lambda self, n: "head"
    __repr__ = lambda self: "table"
t = Table()
"""
    assert server.run(script, variables=["t"]).expect("ok").structured["variables"]["t"] == {
        "type": "__main__.Table", "repr": "table"}


def test_variables_of_a_script_that_was_cut_short_are_unknown(server):
    result = server.run("x = 1\nimport os\nos._exit(3)", variables=["x"]).expect("script_error")
    assert "not known" in result.structured["variables"]["x"]["error"]


def test_the_number_of_variables_is_bounded(server):
    result = server.run("pass", variables=[f"v{i}" for i in range(65)])
    assert result.is_error and "at most 64" in result.text
