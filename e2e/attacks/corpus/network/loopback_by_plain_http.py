# tries: to ask the proxy for the host's loopback over plain HTTP
# escaped if: the host's listener is reached, or ESCAPED is printed
# without isolation: run
import urllib.request
for host in ("127.0.0.1", "localhost", "0", "[::ffff:7f00:1]"):
    try:
        print(urllib.request.build_opener(urllib.request.ProxyHandler({"http": "http://127.0.0.1:3128"})).open(f"http://{host}:@PORT@/@TOKEN@", timeout=5).read())
    except Exception as error:
        print(host, error)
