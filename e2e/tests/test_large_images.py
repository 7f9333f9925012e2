"""Images that are too large for a model are scaled down or left out, with a note in the result."""

import base64

import pytest

from harness.results import png_size

pytestmark = pytest.mark.any_backend

WRITE_PNG = """
import random, struct, zlib
def png(name, width, height, rows):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    packer = zlib.compressobj(1)
    data = b''.join(packer.compress(b'\\0' + row) for row in rows) + packer.flush()
    head = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    with open(name, 'wb') as file:
        file.write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', head) + chunk(b'IDAT', data) + chunk(b'IEND', b''))
"""
SCRIPT = (
    WRITE_PNG
    + """
png('wide.png', 4000, 500, (bytes([y % 256, 100, 200]) * 4000 for y in range(500)))
png('noise.png', 1200, 1200, (random.randbytes(3600) for _ in range(1200)))
png('bomb.png', 40000, 40000, (bytes(120000) for _ in range(10)))
open('fake.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + bytes(3 << 20))
"""
)


def test_large_images_are_shown_smaller_or_refused_with_a_note(server):
    result = server.run(SCRIPT, timeout_seconds=120).expect("ok")
    notes = {file["name"]: file["note"] for file in result.structured["files"]}
    assert notes["wide.png"] == "shown smaller: 1600x200 instead of 4000x500"
    assert notes["noise.png"].startswith("shown smaller")
    assert notes["bomb.png"] == "not shown: 40000x40000 pixels are too many, not kept"
    assert notes["fake.png"] == "not a valid image of its type, not kept"
    assert all(note in result.section("files").body for note in notes.values())
    images = [item for item in result.raw["content"] if item["type"] == "image"]
    assert [item["mimeType"] for item in images] == ["image/jpeg", "image/png"]
    assert all(len(item["data"]) < 3 << 20 for item in images)
    assert png_size(base64.b64decode(images[1]["data"])) == (1600, 200)
    assert server.resident_bytes() < 1 << 30
