# tries: to take memory by the page tables of address space that is only reserved
# escaped if: its status is not the one below, or ESCAPED is printed
# timeout: 60
# status: out_of_memory script_error
import mmap
maps = []
while True:
    reserved = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_NORESERVE)
    reserved.madvise(15)  # MADV_NOHUGEPAGE
    maps.append(reserved)
    sum(reserved[at] for at in range(0, 64 << 30, 2 << 20))
