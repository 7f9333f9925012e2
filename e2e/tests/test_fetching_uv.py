"""With only Java installed, the product fetches uv."""

import os

import pytest

pytestmark = pytest.mark.any_backend


@pytest.mark.slow
def test_fresh_cache_and_no_uv_on_the_path(start, tmp_path):
    path = ":".join(entry for entry in os.environ["PATH"].split(":") if not os.path.exists(f"{entry}/uv"))
    server = start(cache=tmp_path / "cache", env={"PATH": path})
    result = server.run("import six; print(six.__version__)", dependencies=["six==1.17.0"], timeout=300)
    assert result.expect("ok").stdout == "1.17.0\n"
