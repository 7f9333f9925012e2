"""With nothing there but Java, the product fetches its own uv."""

import pytest


@pytest.mark.slow
def test_fresh_cache_and_no_uv_on_the_path(start, tmp_path):
    server = start(cache=tmp_path / "cache", env={"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"})
    result = server.run("import six; print(six.__version__)", dependencies=["six==1.17.0"], timeout=300)
    assert result.expect("ok").stdout == "1.17.0\n"
