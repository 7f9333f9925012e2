# tries: to take memory page by page, all over terabytes of reserved address space
# escaped if: its status is not the one below, or ESCAPED is printed
# timeout: 60
# status: out_of_memory script_error
import mmap
maps = []
while True:
    reserved = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_NORESERVE)
    maps.append(reserved)
    for at in range(0, 64 << 30, 1 << 20):
        reserved[at] = 1
