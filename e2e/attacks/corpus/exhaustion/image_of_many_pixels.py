# tries: to make the server read eight images of 99 million pixels each, of which half are interlaced
# escaped if: the answer is late, the server has grown, or still computes afterwards
# timeout: 40
# host check: server_stays_small_and_rests
import struct, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

side = 9949
packer = zlib.compressobj(1)
data = b"".join(packer.compress(bytes(1 + 4 * side)) for _ in range(side)) + packer.compress(bytes(side * 9)) + packer.flush()
for number, interlace in enumerate((0, 1) * 4):
    with open("many%d.png" % number, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, interlace)))
        file.write(chunk(b"IDAT", data) + chunk(b"IEND", b""))
