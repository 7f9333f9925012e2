"""A valid version that does not exist."""

import pytest

from harness.server import Server, clean_environment

pytestmark = pytest.mark.any_backend


def test_is_reported_when_a_script_is_run(installation, backend, tmp_path):
    options = [f"--sandbox-backend={backend}", "--python-version=3.99", f"--cache-dir={tmp_path}", "--no-warm-cache"]
    options += [f"--uv-path={installation.fetched_uv()}"]
    with Server(installation.command(*options), clean_environment(), tmp_path) as server:
        server.initialize()
        result = server.run("print(1)", timeout=120)
        assert result.is_error
        assert "3.99" in result.text and "--python-version" in result.text
        assert result.status in ("install_failed", "sandbox_unavailable")
        server.assert_alive()
