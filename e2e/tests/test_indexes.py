"""No network, a private index with its own authority, and proxies."""

import socket

import pytest

from harness.certificates import issue_for_localhost
from harness.index import NO_INDEX, PackageIndex
from harness.proxy import RecordingProxy
from harness.wheels import build_wheel

pytestmark = pytest.mark.any_backend

SECRET = "s3cr3t-of-the-index"
SCRIPT = "import tinypkg; print(tinypkg.ANSWER)"


@pytest.fixture
def wheels(tmp_path):
    folder = tmp_path / "wheels"
    folder.mkdir()
    build_wheel(folder, "tinypkg", "1.0", "ANSWER = 42\n")
    return folder


@pytest.fixture
def fresh(start, installation, tmp_path):
    """Starts a server with an empty cache and the uv that was already fetched, which retries only once."""

    def start_fresh(**env):
        env = NO_INDEX | {"UV_HTTP_RETRIES": "1"} | env
        return start(f"--uv-path={installation.fetched_uv()}", cache=tmp_path / "cache", env=env)

    return start_fresh


def closed_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]


def test_plain_index_is_needed_only_once(fresh, wheels):
    with PackageIndex(wheels) as index:
        server = fresh(UV_DEFAULT_INDEX=index.url)
        assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"
        assert "/simple/tinypkg/" in index.requests
    assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"


def test_index_of_pip_settings(fresh, wheels):
    with PackageIndex(wheels) as index:
        server = fresh(PIP_INDEX_URL=index.url)
        assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"


def test_index_with_a_private_authority(fresh, wheels, tmp_path):
    ca, certificate, key = issue_for_localhost(tmp_path)
    with PackageIndex(wheels, (certificate, key)) as index:
        server = fresh(UV_DEFAULT_INDEX=index.url, SSL_CERT_FILE=str(ca))
        assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"


def test_unknown_authority_is_reported(fresh, wheels, tmp_path):
    _, certificate, key = issue_for_localhost(tmp_path)
    with PackageIndex(wheels, (certificate, key)) as index:
        server = fresh(UV_DEFAULT_INDEX=index.url)
        result = server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("install_failed")
        assert "certificate" in result.text.lower() and "SSL_CERT_FILE" in result.text


def test_no_network_is_reported(fresh):
    port = closed_port()
    server = fresh(UV_DEFAULT_INDEX=f"http://127.0.0.1:{port}/simple/")
    result = server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("install_failed")
    assert f"127.0.0.1:{port}" in result.text
    assert server.run("print('still here')").expect("ok").stdout == "still here\n"


def test_no_network_and_no_uv_is_reported(start, tmp_path):
    env = NO_INDEX | {"UV_DEFAULT_INDEX": f"http://127.0.0.1:{closed_port()}/simple/"}
    server = start(f"--uv-path={tmp_path}/no-such-uv", cache=tmp_path / "cache", env=env)
    result = server.run(SCRIPT, dependencies=["tinypkg==1.0"])
    assert result.is_error and "uv" in result.text
    server.assert_alive()


def test_proxy_variables_are_used(fresh, wheels):
    with PackageIndex(wheels) as index, RecordingProxy() as proxy:
        server = fresh(UV_DEFAULT_INDEX=index.url, HTTP_PROXY=proxy.url, HTTPS_PROXY=proxy.url, ALL_PROXY=proxy.url, NO_PROXY="")
        assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"
        assert any("localhost" in target for target in proxy.targets)


def test_proxy_reaches_the_public_index(fresh):
    with RecordingProxy() as proxy:
        server = fresh(HTTPS_PROXY=proxy.url, NO_PROXY="")
        result = server.run("import six; print(six.__version__)", dependencies=["six==1.17.0"])
        assert result.expect("ok").stdout == "1.17.0\n"
        assert proxy.targets


def test_dead_proxy_is_reported(fresh):
    dead = f"http://127.0.0.1:{closed_port()}"
    result = fresh(HTTPS_PROXY=dead, HTTP_PROXY=dead, NO_PROXY="").run("pass", dependencies=["six==1.17.0"])
    assert "proxy" in result.expect("install_failed").text.lower()


@pytest.mark.parametrize("json", [False, True])
def test_index_with_a_password(fresh, wheels, tmp_path, json):
    ca, certificate, key = issue_for_localhost(tmp_path)
    with PackageIndex(wheels, (certificate, key), password=SECRET, json=json) as index:
        server = fresh(UV_DEFAULT_INDEX=index.url_with(f"user:{SECRET}"), SSL_CERT_FILE=str(ca))
        assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"
        assert not index.unauthorized
        assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
        url = index.url.replace("/simple/", "/files/tinypkg-1.0-py3-none-any.whl")
        text = server.run(SCRIPT, dependencies=[f"tinypkg @ {url}"]).expect("install_failed").text
        assert "without its URL" in text
        assert index.unauthorized, "the password is not sent for a URL that a script names"


def test_page_beyond_what_an_index_needs_is_reported(fresh, wheels):
    with PackageIndex(wheels, password=SECRET, json={"name": "a" * 100_000}) as index:
        server = fresh(UV_DEFAULT_INDEX=index.url_with(f"user:{SECRET}"))
        text = server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("install_failed").text
        assert f"{index.url}tinypkg/ can't be used: a text, a number or the nesting is too large" in text
        assert ".invalid" not in text and SECRET not in text


def test_index_with_a_password_by_its_name(fresh, wheels):
    with PackageIndex(wheels, password=SECRET) as index, PackageIndex(wheels.parent / "none") as empty:
        env = {"UV_INDEX_CORP_A_USERNAME": "user", "UV_INDEX_CORP_A_PASSWORD": SECRET}
        server = fresh(UV_DEFAULT_INDEX=empty.url, UV_INDEX=f"corp-a={index.url}", **env)
        assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"
        text = server.run("pass", dependencies=["nosuchpkg"]).expect("install_failed").text
        assert "nosuchpkg" in text and "does not exist" in text and ".invalid" not in text


def test_page_of_links_with_a_password(fresh, wheels):
    with PackageIndex(wheels, password=SECRET) as index, PackageIndex(wheels.parent / "none") as empty:
        server = fresh(UV_DEFAULT_INDEX=empty.url, UV_FIND_LINKS=index.url_with(f"user:{SECRET}") + "tinypkg/")
        assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"


def test_index_with_a_password_behind_a_proxy(fresh, wheels, tmp_path):
    ca, certificate, key = issue_for_localhost(tmp_path)
    with PackageIndex(wheels, (certificate, key), password=SECRET) as index, RecordingProxy() as proxy:
        env = {"HTTPS_PROXY": proxy.url, "NO_PROXY": "", "SSL_CERT_FILE": str(ca)}
        server = fresh(UV_DEFAULT_INDEX=index.url_with(f"user:{SECRET}"), **env)
        assert server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("ok").stdout == "42\n"
        assert any("localhost" in target for target in proxy.targets)


def test_wrong_password_is_reported(fresh, wheels):
    with PackageIndex(wheels, password=SECRET) as index:
        server = fresh(UV_DEFAULT_INDEX=index.url_with("user:wrong-e2e"))
        text = server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("install_failed").text
        assert "401" in text and "password" in text and index.url in text
        assert "wrong-e2e" not in text and ".invalid" not in text


def test_unknown_authority_of_an_index_with_a_password_is_reported(fresh, wheels, tmp_path):
    _, certificate, key = issue_for_localhost(tmp_path)
    with PackageIndex(wheels, (certificate, key), password=SECRET) as index:
        server = fresh(UV_DEFAULT_INDEX=index.url_with(f"user:{SECRET}"))
        result = server.run(SCRIPT, dependencies=["tinypkg==1.0"]).expect("install_failed")
        assert "certificate" in result.text.lower() and "SSL_CERT_FILE" in result.text


def test_credentials_of_an_index_are_not_shown(fresh):
    secret = "s3cr3t-e2e"
    server = fresh(UV_DEFAULT_INDEX=f"http://user:{secret}@127.0.0.1:{closed_port()}/simple/")
    result = server.run("import os; print(dict(os.environ))", dependencies=["tinypkg==1.0"]).expect("install_failed")
    assert secret not in str(result.raw) and secret not in server.stderr
    assert secret not in server.run("import os; print(dict(os.environ))").expect("ok").stdout
    assert secret not in server.call("check_environment").text
