"""Forwards connections from the sandbox's loopback port to the endpoint of the proxy.

The endpoint is `unix PATH` or `tcp HOST PORT SECRET`; a connection by TCP begins with the secret and CR LF.

It is part of the supervisor's poll loop. A thread would have an entry under /proc, and through it a script could reach
the supervisor's memory and descriptors.
"""

import _socket
from errno import EAGAIN, EINPROGRESS
from select import POLLIN, POLLOUT
from time import monotonic

FROM_PROXY = memoryview(bytearray(1 << 18))  # the capacity of a Unix socket: fewer reads are faster
FROM_CLIENT = FROM_PROXY[: 1 << 17]  # a TCP socket holds more than a Unix socket accepts at once
ROUNDS = 16  # reads of one connection before the others are served
MAX_CONNECTIONS = 128  # further ones wait in the listener's queue
PAUSE = 0.1  # seconds until the next attempt if descriptors, or places in the proxy's queue, are short


class End:
    """One of the two sockets of a connection, with data that was read from it but not yet written to the other."""

    __slots__ = ("socket", "buffer", "fd", "other", "pending", "reading", "events")

    def __init__(self, socket, buffer):
        self.socket, self.buffer, self.fd = socket, buffer, socket.fileno()
        self.pending, self.reading, self.events = b"", True, 0

    def wanted(self):
        """Returns the events to poll for; no reading while there is no room, so that the data waits in the kernel."""
        return (POLLIN if self.reading and not self.pending else 0) | (POLLOUT if self.other.pending else 0)

    def forward(self):
        """Moves data from here to the other end until one of them would block; an error ends only this direction."""
        buffer = self.buffer
        try:
            for _ in range(ROUNDS):
                if self.pending:
                    self.pending = self.pending[self.other.socket.send(self.pending):]
                    continue
                size = self.socket.recv_into(buffer)
                if not size:
                    return self.finish()
                sent = 0
                try:
                    sent = self.other.socket.send(buffer[:size])
                finally:
                    if sent < size:
                        self.pending = bytes(buffer[sent:size])
                if size < len(buffer):
                    return  # no more data; poll reports when there is more
        except BlockingIOError:
            pass
        except OSError:
            self.finish()

    def finish(self):
        self.reading, self.pending = False, b""
        try:
            self.other.socket.shutdown(_socket.SHUT_WR)
        except OSError:
            pass  # it is already closed


class Bridge:
    """Accepts connections and serves those whose descriptors the poll object reports."""

    def __init__(self, listener, endpoint, poll):
        self.listener, self.poll = listener, poll
        if endpoint[0] == "unix":
            self.family, self.address, self.preface = _socket.AF_UNIX, endpoint[1], b""
        else:
            kind, host, port, secret = endpoint
            self.family, _, _, _, self.address = _socket.getaddrinfo(host, int(port), 0, _socket.SOCK_STREAM)[0]
            self.preface = secret.encode() + b"\r\n"
        self.ends = {}
        self.paused, self.resume_at = True, 0.0  # new connections wait
        self.resume()

    def connections(self):
        return len(self.ends) // 2

    def resume(self):
        if self.connections() < MAX_CONNECTIONS and monotonic() >= self.resume_at:
            self.poll.register(self.listener.fileno(), POLLIN)
            self.paused = False

    def pause(self):
        self.poll.unregister(self.listener.fileno())
        self.paused, self.resume_at = True, monotonic() + PAUSE

    def serve(self, fd, events):
        """Handles an event; ignores descriptors that are closed or not ours."""
        if fd == self.listener.fileno():
            self.accept()
        elif fd in self.ends:
            end = self.ends[fd]
            if events & ~POLLOUT and (end.reading or end.pending):
                end.forward()
            if events & ~POLLIN and end.other.pending:
                end.other.forward()
            self.update(end)

    def accept(self):
        """Connects the next client to the proxy, or lets it wait if that is not possible now."""
        sockets = []
        try:
            sockets.append(_socket.socket(self.family, _socket.SOCK_STREAM))
            sockets[0].setblocking(False)
            failure = sockets[0].connect_ex(self.address)
            if failure == EINPROGRESS:
                failure = 0
            if failure != EAGAIN:
                sockets.append(_socket.socket(fileno=self.listener._accept()[0]))
                sockets[1].setblocking(False)
        except OSError:
            failure = EAGAIN
        if failure:
            for socket in sockets:
                socket.close()
            if failure == EAGAIN:
                self.pause()
            return
        proxy, client = End(sockets[0], FROM_PROXY), End(sockets[1], FROM_CLIENT)
        proxy.other, client.other = client, proxy
        client.pending = self.preface
        self.ends[proxy.fd], self.ends[client.fd] = proxy, client
        self.update(client)
        if self.connections() == MAX_CONNECTIONS:
            self.pause()

    def update(self, end):
        """Updates the polled events of both ends of a connection, or closes them after the last byte."""
        if not (end.reading or end.other.reading or end.pending or end.other.pending):
            return self.close(end)
        for each in (end, end.other):
            events = each.wanted()
            if events == each.events:
                continue
            if not events:
                self.poll.unregister(each.fd)  # else it would report the hang-up of the other side again and again
            elif each.events:
                self.poll.modify(each.fd, events)
            else:
                self.poll.register(each.fd, events)
            each.events = events

    def end(self):
        for end in list(self.ends.values()):
            if end.fd in self.ends:
                self.close(end)
        self.listener.close()

    def close(self, end):
        for each in (end, end.other):
            if each.events:
                self.poll.unregister(each.fd)
            del self.ends[each.fd]
            each.socket.close()
