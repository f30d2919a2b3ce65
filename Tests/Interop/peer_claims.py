"""Writers that say who they are, and send descriptors along: scenarios of peers.py."""

import array
import os
import socket
import struct
import time

from peer_tools import ask, become, connect, receive, run, say


def claim(sock, line, pid, uid, gid):
    """Sends a line with credentials; tells whether the kernel passes them on."""
    credentials = struct.pack("3i", pid, uid, gid)
    try:
        sock.sendmsg(
            [line.encode() + b"\n"], [(socket.SOL_SOCKET, socket.SCM_CREDENTIALS, credentials)])
        return "sent"
    except PermissionError:
        return "refused"


def claims(path):
    """A user cannot claim to be another process, user or group."""
    become(500)
    sock = connect(path)
    own = os.getpid()
    for pid, uid, gid in ((1, 500, 500), (os.getppid(), 500, 500), (own, 0, 500), (own, 501, 500),
                          (own, 500, 0), (1, 0, 0)):
        say(claim(sock, "note claimed", pid, uid, gid))
    say(claim(sock, "note own", own, 500, 500), receive(sock))


def claims_in_namespace(path):
    """Nor can the root of a user namespace of one's own."""
    become(500)
    sock = connect(path)
    if os.system("unshare --user true 2>/dev/null") != 0:
        return say("no namespaces")
    # The number in the namespace is 0; to everybody else it still is 500.
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import peer_claims, peer_tools, os, socket\n"
        "sock = socket.socket(fileno=9)\n"
        "peer_tools.say(os.getuid(), peer_claims.claim(sock, 'note claimed', os.getppid(), 0, 0))\n"
        "peer_tools.say(peer_claims.claim(sock, 'note claimed', 1, 0, 0))\n"
        "peer_tools.say(peer_claims.claim(sock, 'note mine', os.getpid(), 0, 0))\n")
    os.dup2(sock.fileno(), 9)
    os.set_inheritable(9, True)
    here = os.path.dirname(os.path.abspath(__file__))
    run(lambda: os.execv("/usr/bin/unshare", [
        "unshare", "--user", "--map-root-user", "/usr/bin/python3", "-c", script, here]))
    say(receive(sock))


def root_claims(path):
    """Root may claim anything; what does not fit the connection ends it."""
    for pid, uid in ((os.getpid(), 500), (1, 0), (1, 500)):
        sock = connect(path)
        say(claim(sock, "note claimed", pid, uid, 0), receive(sock))


def flood(path, daemon):
    """Descriptors by the thousand, most of them sent while nobody reads; the server keeps none."""
    def count():
        return len(os.listdir(f"/proc/{daemon}/fd"))

    def first():
        while True:
            try:
                return connect(path)
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.01)

    socks = [first()]
    ask(socks[0], "echo in")
    reader, writer = os.pipe()
    before = count()
    for _ in range(4):
        socks.append(connect(path))
        ask(socks[-1], "echo in")
    during = count()
    for round in range(25):
        for sock in socks:
            rights = array.array("i", [writer] * 253)
            sock.sendmsg([b"note %d\n" % round], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    for sock in socks:
        # Together with credentials, and in the middle of a line.
        credentials = struct.pack("3i", os.getpid(), os.getuid(), os.getgid())
        sock.sendmsg([b"note "], [
            (socket.SOL_SOCKET, socket.SCM_CREDENTIALS, credentials),
            (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [writer] * 100))])
        sock.sendall(b"end\n")
        assert [receive(sock) for _ in range(26)] == ["noted"] * 26
    say(during - before, count() - during)
    os.close(writer)
    # Nobody holds the other end of the pipe any more.
    say(os.read(reader, 1))
    for sock in socks:
        sock.close()
