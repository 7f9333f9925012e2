# tries: to keep more memory than allowed in shared mappings of which only a page is left mapped
# escaped if: ESCAPED is printed
# status: ok out_of_memory script_error
import ctypes, mmap, time
BOUND = 768 << 20  # with a limit of 512 MiB
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
held, piece = 0, 32 << 20
while held < BOUND:
    at = libc.mmap(None, piece, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1, 0)
    if at in (None, 2**64 - 1):
        raise OSError(ctypes.get_errno(), "mmap")
    ctypes.memset(at, 1, piece)
    libc.munmap(at + 4096, piece - 4096)
    held += piece
time.sleep(1.5)  # for whoever counts
print("ESCAPED", held >> 20, "MiB")
