# tries: to take memory by anonymous shared mappings
# escaped if: its status is not the one below, or ESCAPED is printed
# timeout: 60
# status: out_of_memory script_error
import mmap
maps = []
while True:
    m = mmap.mmap(-1, 64 << 20); m.write(b"x" * (64 << 20)); maps.append(m)
