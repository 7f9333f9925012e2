# tries: to use the proxy of a sandbox, or to look at the server's files, as another user of the machine
# escaped if: the other user connects to a socket, or sees a file, in the server's temporary folder
# host check: server_is_closed_to_others
import time
time.sleep(2)
