# tries: to hide a second request in the first
# escaped if: the host's listener is reached, or ESCAPED is printed
# without isolation: run
import socket
for head in ("CONNECT example.invalid:443 HTTP/1.1\r\nHost: a\r\n\r\nCONNECT 127.0.0.1:@PORT@ HTTP/1.1\r\n\r\n",
             "GET http://example.invalid/ HTTP/1.1\r\nHost: 127.0.0.1:@PORT@\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
             "GET http://example.invalid@127.0.0.1:@PORT@/@TOKEN@ HTTP/1.1\r\n\r\n",
             "GET http://127.0.0.1:@PORT@#@example.invalid/@TOKEN@ HTTP/1.1\r\n\r\n",
             "GET /@TOKEN@ HTTP/1.1\r\nHost: 127.0.0.1:@PORT@\r\n\r\n"):
    try:
        s = socket.create_connection(("127.0.0.1", 3128), 3); s.settimeout(3); s.send(head.encode()); print(s.recv(100))
    except OSError as error:
        print(error)
