"""--keep-files: files that are not shown completely are kept, linked, and read as resources."""

import base64
import hashlib
import json
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

pytestmark = pytest.mark.any_backend


@pytest.fixture(scope="module")
def keeping(installation, backend, tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept") / "files"
    with installation.start(f"--keep-files={folder}", "--tmp-size=64m", backend=backend) as server:
        server.folder = folder
        server.capabilities = server.initialize()["capabilities"]
        yield server


def links(result) -> dict[str, dict]:
    return {item["name"]: item for item in result.raw["content"] if item["type"] == "resource_link"}


def listed(result) -> dict[str, dict]:
    return {file["name"]: file for file in result.structured["files"]}


def path_of(uri: str) -> Path:
    return Path(unquote(urlparse(uri).path))


MAKES = """
import os
os.makedirs('out')
open('note.txt', 'w').write('short')
open('out/table ü.csv', 'w').write('a,b\\n' * 5000)
open('data.bin', 'wb').write(bytes(range(256)) * 100)
open('large.bin', 'wb').write(b'0123456789abcdef' * 2**16 * 20)
"""


def test_the_capability_is_declared(keeping):
    assert keeping.capabilities["resources"] == {"subscribe": False, "listChanged": False}


def test_check_environment_names_the_folder(keeping):
    assert f"Files kept in: {keeping.folder}" in keeping.call("check_environment").text.splitlines()


def test_what_is_not_shown_is_linked_and_can_be_read(keeping):
    result = keeping.run(MAKES).expect("ok")
    assert set(links(result)) == {"out/table ü.csv", "data.bin", "large.bin"}
    for name, link in links(result).items():
        file = listed(result)[name]
        assert file["uri"] == link["uri"] and link["uri"] in result.section("files").body
        assert (file["size"], file["type"]) == (link["size"], link["mimeType"])
        content = path_of(link["uri"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"] and len(content) == file["size"]
    assert listed(result)["note.txt"]["text"] == "short"
    assert path_of(listed(result)["note.txt"]["uri"]).read_text() == "short"
    assert not [item for item in result.raw["content"] if item["type"] == "resource"]

    table = keeping.request("resources/read", {"uri": links(result)["out/table ü.csv"]["uri"]})["contents"]
    assert table[0]["text"] == "a,b\n" * 5000 and table[0]["mimeType"] == "text/csv"
    data = keeping.request("resources/read", {"uri": links(result)["data.bin"]["uri"]})["contents"]
    assert base64.b64decode(data[0]["blob"]) == bytes(range(256)) * 100
    refusal = keeping.refusal("resources/read", {"uri": links(result)["large.bin"]["uri"]})
    assert "large.bin" in refusal["message"]
    named = [resource["name"] for resource in keeping.request("resources/list")["resources"]]
    assert {"out/table ü.csv", "data.bin", "large.bin", "note.txt"} <= set(named)
    assert keeping.request("resources/templates/list") == {"resourceTemplates": []}


def test_only_files_of_runs_are_served(keeping):
    result = keeping.run("open('data.bin', 'wb').write(bytes(9))").expect("ok")
    uri = links(result)["data.bin"]["uri"]
    secret = keeping.folder / "secret.txt"
    secret.write_text("secret")
    base = uri.rsplit("/", 1)[0]
    for trick in ("file:///etc/passwd", secret.as_uri(), f"{base}/../secret.txt", f"{base}/./data.bin", "data.bin"):
        assert keeping.refusal("resources/read", {"uri": trick})["code"] == -32002
    path_of(uri).unlink()
    path_of(uri).symlink_to(secret)
    refusal = keeping.refusal("resources/read", {"uri": uri})
    assert refusal["code"] == -32002 and "secret" not in json.dumps(refusal["message"])


def test_files_outside_of_the_working_folder_are_kept_under_their_path(keeping):
    result = keeping.run("open('/tmp/a.bin', 'wb').write(bytes(9))").expect("ok")
    path = path_of(listed(result)["/tmp/a.bin"]["uri"])
    assert path.is_relative_to(keeping.folder) and path.parts[-2:] == ("tmp", "a.bin")


def test_links_devices_and_odd_names_are_harmless(keeping):
    script = (
        "import os\n"
        "os.symlink('/etc/passwd', 'link')\n"
        "os.mkfifo('pipe')\n"
        "os.makedirs('dir/link-to'); os.symlink('/etc', 'dir/link-to/etc')\n"
        "open('new\\nline\\x1b[0m', 'wb').write(bytes(5000))\n"
        "open(b'not-utf8-\\xff', 'wb').write(bytes(5000))\n"
        "open('back\\\\slash', 'wb').write(bytes(5000))\n"
        "with open('sparse', 'wb') as file: file.truncate(1 << 40)\n"
    )
    result = keeping.run(script).expect("ok")
    assert len(links(result)) == 3
    assert all(path_of(link["uri"]).is_file() for link in links(result).values())
    assert listed(result)["sparse"]["size"] == 1 << 40 and "uri" not in listed(result)["sparse"]
    kept = [path for path in keeping.folder.rglob("*") if path.is_symlink() and path.name != "data.bin"]
    assert not kept


def test_older_clients_get_no_links(installation, backend, tmp_path):
    with installation.start(f"--keep-files={tmp_path}", backend=backend) as server:
        server.initialize("2025-03-26")
        result = server.run("open('data.bin', 'wb').write(bytes(9))").expect("ok")
        assert not links(result) and listed(result)["data.bin"]["uri"].startswith("file:///")


def test_without_the_option_nothing_is_offered(server):
    assert server.refusal("resources/list")["code"] == -32601
    result = server.run("open('data.bin', 'wb').write(bytes(9))").expect("ok")
    assert not links(result) and listed(result)["data.bin"]["note"] == "attached"


@pytest.mark.parametrize(
    "options", [["--keep-files=/dev/null"], ["--keep-files=/dev/null/x"], ["--keep-files=/tmp", "--mount=/tmp:rw"]]
)
def test_a_bad_folder_is_refused_at_start(installation, options):
    done = installation.command_line(*options)
    assert done.returncode == 2 and b"--keep-files" in done.stderr and not done.stdout
