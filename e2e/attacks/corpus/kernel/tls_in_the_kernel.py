# tries: to have the kernel put TLS or another protocol on top of a TCP connection (TCP_ULP)
# escaped if: the kernel does, or looks for the protocol
import ctypes, errno, os, socket
libc = ctypes.CDLL(None, use_errno=True)
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
number = {"x86_64": 54, "aarch64": 208}[os.uname().machine]
for name in (b"tls", b"mptcp", b"smc", b"espintcp"):
    for level, option in ((6, 31), (6 | 1 << 32, 31), (6, 31 | 1 << 32)):
        arguments = [ctypes.c_long(each) for each in (number, client.fileno(), level, option)]
        result = libc.syscall(*arguments, ctypes.c_char_p(name), ctypes.c_long(len(name)))
        if result == 0 or ctypes.get_errno() not in (errno.ENOPROTOOPT, errno.EPERM):
            print("ESCAPED", name, hex(level), hex(option), result, os.strerror(ctypes.get_errno()))
print("tried")
