# tries: to take far more memory than the limit by one system call, before anybody counts it
# escaped if: its status is not the one below, or ESCAPED is printed
# timeout: 60
# status: out_of_memory script_error
import mmap
POPULATE = 0x8000
mmap.mmap(-1, 12 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_NORESERVE | POPULATE)
print("ESCAPED")
