"""What the scenarios of peers.py are made of."""

import os
import signal
import socket
import sys

# A server that does not answer fails the test instead of holding it up.
signal.alarm(60)


def connect(path):
    made = socket.socket(socket.AF_UNIX)
    made.connect(path)
    return made


def become(uid):
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)


def ask(sock, line):
    """Sends a line; returns the answer, or 'closed'."""
    try:
        sock.sendall(line.encode() + b"\n")
        return receive(sock)
    except (BrokenPipeError, ConnectionResetError):
        return "closed"


def receive(sock):
    """The next line, octet by octet so that none of the following one is lost."""
    line = b""
    while not line.endswith(b"\n"):
        try:
            octet = sock.recv(1)
        except ConnectionResetError:
            octet = b""
        if not octet:
            return "closed"
        line += octet
    return line[:-1].decode()


def say(*words):
    print(*words, flush=True)


def child(action):
    """Runs an action in a child; returns its number."""
    number = os.fork()
    if number:
        return number
    status = 1
    try:
        action()
        status = 0
    finally:
        sys.stdout.flush()
        os._exit(status)


def run(action):
    """Runs an action in a child to its end."""
    assert os.waitpid(child(action), 0)[1] == 0


def blind(sock, line):
    """Writes a line whether or not the server has hung up already."""
    try:
        sock.sendall(line.encode() + b"\n")
    except (BrokenPipeError, ConnectionResetError):
        pass
