"""The published artifacts work: from a Maven repository by jbang, as a bundle, in the registry."""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import jsonschema
import pytest

from harness.installation import REPOSITORY
from harness.server import Server, clean_environment

pytestmark = pytest.mark.native_only

# With the classes, so that they are not compiled again.
SOURCES = ("pom.xml", "mvnw", ".mvn", "src", "profiles", "target/classes")
POM = ElementTree.parse(REPOSITORY / "pom.xml").getroot()
MAVEN = {"": "http://maven.apache.org/POM/4.0.0"}
VERSION = POM.findtext("version", namespaces=MAVEN)
JBANG = "dev.jbang:jbang-cli:0.132.1:jar:all"
REGISTRY = "github.com/modelcontextprotocol/registry@v1.8.7"


def run(*command, cwd: Path, **variables: str) -> str:
    environment = {"MAVEN_OPTS": "-Xmx1g"} | dict(os.environ) | variables
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, f"{command[0]}: {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def maven(folder: Path, *arguments) -> None:
    run("./mvnw", "-q", "-B", "-ntp", *arguments, cwd=folder)


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A copy of the sources, to build in."""
    folder = tmp_path_factory.mktemp("project")
    for name in SOURCES:
        source = REPOSITORY / name
        shutil.copytree(source, folder / name) if source.is_dir() else shutil.copy2(source, folder / name)
    return folder


@pytest.fixture(scope="module")
def repository(project) -> Path:
    """A Maven repository to which the release was deployed."""
    folder = project / "repository"
    skip = ("-Dmaven.main.skip", "-Dmaven.test.skip", "-Dspotless.check.skip", "-Dmaven.install.skip")
    maven(project, "-Prelease", *skip, "deploy", f"-DaltDeploymentRepository=local::{folder.as_uri()}")
    return folder


@pytest.fixture(scope="module")
def bundle(installation, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(REPOSITORY / "src/dist/build", installation.jar, folder, cwd=folder)
    return folder / "python-sandbox-mcp.mcpb"


def serves(command: list[str], installation, backend: str, folder: Path) -> None:
    """Checks that a server started by this command runs a script."""
    with Server([*command, *installation.options(backend), "--no-warm-cache"], clean_environment(), folder) as server:
        assert server.initialize()["serverInfo"] == {"name": "python-sandbox", "version": VERSION}
        assert server.run("print(6 * 7)").expect("ok").stdout == "42\n"


# -- Maven Central ------------------------------------------------------------------------------------------------


def test_what_maven_central_asks_for_is_there(repository):
    published = repository / "dev/pysandbox/python-sandbox" / VERSION
    for ending in (".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json"):
        assert (published / f"python-sandbox-{VERSION}{ending}").is_file(), ending
    pom = ElementTree.parse(published / f"python-sandbox-{VERSION}.pom").getroot()
    for path in ("name", "description", "url", "licenses/license/url", "developers/developer/name",
                 "scm/url", "scm/connection", "scm/developerConnection"):  # fmt: skip
        assert pom.findtext(path, namespaces=MAVEN), path
    javadoc = zipfile.ZipFile(published / f"python-sandbox-{VERSION}-javadoc.jar").namelist()
    assert "dev/pysandbox/api/PythonSandbox.html" in javadoc


def test_the_bill_of_materials_names_what_is_inside(repository):
    bill = json.loads(
        (repository / f"dev/pysandbox/python-sandbox/{VERSION}/python-sandbox-{VERSION}-cyclonedx.json").read_text()
    )
    assert bill["bomFormat"] == "CycloneDX" and bill["metadata"]["component"]["version"] == VERSION
    parts = {part["name"]: part["version"] for part in bill["components"]}
    assert parts["picocli"] == POM.findtext("properties/picocli.version", namespaces=MAVEN)
    assert {"mcp-core", "jackson-databind", "tomlj", "reactor-core"} <= set(parts)
    assert not {"junit-jupiter", "mockito-core", "jspecify"} & set(parts)


# -- jbang --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def jbang(project, repository, tmp_path_factory):
    """Resolves an alias or coordinates to the command that jbang's launcher would run."""
    folder = tmp_path_factory.mktemp("jbang")
    maven(project, "dependency:copy", f"-Dartifact={JBANG}", f"-DoutputDirectory={folder}")
    (jar,) = folder.glob("jbang-cli-*.jar")
    # Maven's local repository, which has the dependencies, replaces Maven Central.
    kept = Path.home() / ".m2/repository"

    def resolve(*arguments: str) -> list[str]:
        repositories = f"central={kept.as_uri()},local={repository.as_uri()}"
        command = ["java", "-jar", jar, "run", "--repos", repositories, *arguments]
        own = {"JBANG_DIR": str(folder / "own"), "JBANG_REPO": str(folder / "cache"), "JBANG_NO_VERSION_CHECK": "true"}
        done = subprocess.run(
            [*map(str, command)], cwd=folder, env=dict(os.environ) | own, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 255, done.stderr  # 255 tells the launcher to run what was printed
        return shlex.split(done.stdout)

    return resolve


def test_jbang_runs_the_coordinates(jbang, installation, backend, tmp_path):
    serves(jbang(f"dev.pysandbox:python-sandbox:{VERSION}"), installation, backend, tmp_path)


def test_jbang_runs_the_alias_of_the_catalog(jbang, installation, backend, tmp_path):
    command = jbang("--catalog", str(REPOSITORY / "jbang-catalog.json"), "python-sandbox")
    done = run(*command, "run", *installation.options(backend), "print(6 * 7)", cwd=tmp_path)
    assert done == "42\n"


# -- Claude Desktop's bundle and the MCP registry -----------------------------------------------------------------


def test_the_bundle_works_where_it_is_unpacked(bundle, installation, backend, tmp_path):
    run("mcpb", "validate", REPOSITORY / "src/dist/manifest.json", cwd=tmp_path)
    run("mcpb", "unpack", bundle, tmp_path / "unpacked", cwd=tmp_path)
    manifest = json.loads((tmp_path / "unpacked/manifest.json").read_text())
    entry = manifest["server"]["mcp_config"]
    assert (tmp_path / "unpacked" / manifest["server"]["entry_point"]).is_file()
    arguments = [argument.replace("${__dirname}", str(tmp_path / "unpacked")) for argument in entry["args"]]
    serves([entry["command"], *arguments], installation, backend, tmp_path)


def test_the_bundle_names_the_tools(bundle, server):
    manifest = json.loads(zipfile.ZipFile(bundle).read("manifest.json"))
    offered = server.request("tools/list")["tools"]
    assert [tool["name"] for tool in manifest["tools"]] == [tool["name"] for tool in offered]


def test_the_bundle_is_the_same_for_the_same_jar(bundle, installation, tmp_path):
    run(REPOSITORY / "src/dist/build", installation.jar, tmp_path, cwd=tmp_path)
    assert (tmp_path / bundle.name).read_bytes() == bundle.read_bytes()


def test_the_registry_takes_the_description(bundle, tmp_path):
    server = json.loads(bundle.with_name("server.json").read_text())
    (tmp_path / "go.mod").write_text("module e2e\n\ngo 1.19\n")
    module = json.loads(run("go", "mod", "download", "-json", REGISTRY, cwd=tmp_path))
    edition = re.search(r"/schemas/([\d-]+)/", server["$schema"])[1]
    with zipfile.ZipFile(module["Zip"]) as archive:
        schema = json.loads(archive.read(f"{REGISTRY}/internal/validators/schemas/{edition}.json"))
    jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(server)
    (package,) = server["packages"]
    assert package["fileSha256"] == hashlib.sha256(bundle.read_bytes()).hexdigest()
    assert package["identifier"].endswith(f"/v{VERSION}/{bundle.name}")


# -- one version everywhere ---------------------------------------------------------------------------------------


def test_the_version_is_the_same_everywhere(bundle):
    alias = json.loads((REPOSITORY / "jbang-catalog.json").read_text())["aliases"]["python-sandbox"]
    assert alias["script-ref"] == f"dev.pysandbox:python-sandbox:{VERSION}"
    for name in ("src/dist/manifest.json", "server.json"):
        assert json.loads((REPOSITORY / name).read_text())["version"] == VERSION, name
    newest = re.search(r"^## (\d\S*)", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    assert newest == VERSION
