# tries: to make the server decode an image of 66 KB that takes minutes and most of a gigabyte
# escaped if: the answer is late, the server has grown, or still computes afterwards
# timeout: 5
# host check: server_stays_small_and_rests
# server: measured
import struct

def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data

side = 9900
head = b"\xff\xd8" + segment(0xDB, b"\0" + b"\1" * 64)
head += segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0")  # progressive, one component
head += segment(0xC4, b"\0" + bytes([1] + [0] * 15) + b"\0")
scan = segment(0xDA, b"\1\1\0\0\0\x10") + b"\0"  # refines the first coefficients, with hardly any data
for number in range(3):
    with open("scans%d.jpg" % number, "wb") as file:
        file.write(head + segment(0xDA, b"\1\1\0\0\0\1") + b"\0" + scan * 6000 + b"\xff\xd9")
