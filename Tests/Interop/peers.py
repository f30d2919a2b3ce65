"""Processes that do odd things with a connection: peers.py SCENARIO SOCKET [ARGUMENT…]

Started by root. Each scenario connects as one user and then tries to have the server take a line from
another process or user; the lines are of the scripted service of the server's tests, where
`note TEXT` leaves the text with the uid that the server took the caller for. What a scenario sees of
the server is printed; what the server has noted is the test's to look at.
"""

import os
import shutil
import socket
import sys
import threading

import peer_claims
import peer_endings
from peer_tools import ask, become, blind, child, connect, receive, run, say


# Programs that take the process's place.


def exec_plain(path):
    """Another program in the same process is the same caller."""
    def act():
        become(500)
        sock = connect(path)
        say(ask(sock, "note before"))
        os.dup2(sock.fileno(), 9)
        os.execv("/bin/sh", ["sh", "-c", "printf 'note after\\n' >&9; read -r answer <&9; echo $answer"])
    run(act)


def setuid_copy(directory, program):
    copy = os.path.join(directory, os.path.basename(program))
    shutil.copyfile(program, copy)
    os.chown(copy, 0, 0)
    os.chmod(copy, 0o4755)
    return copy


def exec_setuid(path, directory):
    """A setuid program that is made to write to the socket writes for the user who runs it."""
    program = setuid_copy(directory, "/usr/bin/printf")

    def act():
        become(500)
        sock = connect(path)
        say(ask(sock, "note before"))
        if os.fork() == 0:
            # The answer is read beside it.
            os.dup2(sock.fileno(), 8)
            say(receive(socket.socket(fileno=8)))
            os._exit(0)
        os.dup2(sock.fileno(), 1)
        os.execv(program, ["printf", "note after\\n"])
    run(act)


def exec_setuid_whole(path, directory):
    """One that becomes another user altogether is another writer."""
    program = setuid_copy(directory, "/usr/bin/setpriv")

    def act():
        become(500)
        sock = connect(path)
        say(ask(sock, "note before"))
        if os.fork() == 0:
            os.dup2(sock.fileno(), 8)
            say(receive(socket.socket(fileno=8)))
            os._exit(0)
        os.dup2(sock.fileno(), 1)
        os.execv(program, ["setpriv", "--reuid=0", "printf", "note after\\n"])
    run(act)


# Users that change.


def setuid_connects(path):
    """A setuid program: it connects as root, and writes as the user who runs it."""
    os.setresuid(500, 0, 0)
    say(ask(connect(path), "note"))


def drops(path):
    sock = connect(path)
    say(ask(sock, "note before"))
    become(500)
    say(ask(sock, "note after"))


def drops_first(path):
    sock = connect(path)
    become(500)
    say(ask(sock, "note after"))


def rises(path):
    os.setresuid(500, 500, 0)
    sock = connect(path)
    say(ask(sock, "note before"))
    os.setresuid(0, 0, 0)
    say(ask(sock, "note after"))


def changes(path):
    """Neither of the users is root."""
    os.setgroups([])
    os.setresuid(500, 500, 501)
    sock = connect(path)
    say(ask(sock, "note before"))
    os.setresuid(501, 501, 501)
    say(ask(sock, "note after"))


# Other processes that write.


def forks(path, connector, writer):
    """A child writes, as the same user or as another."""
    if connector != "0":
        os.setgroups([])
        os.setresuid(int(connector), int(connector), 0)
    sock = connect(path)
    say(ask(sock, "note before"))

    def act():
        os.setresuid(0, 0, 0)
        become(int(writer))
        blind(sock, "note after")
    run(act)
    say(receive(sock))


def forks_middle(path):
    """A child writes the end of a line that its parent has begun."""
    sock = connect(path)
    say(ask(sock, "note whole"))
    sock.sendall(b"note ha")
    run(lambda: blind(sock, "lf\nnote after"))
    say(receive(sock))


def urgent(path):
    """A child writes urgent data, which no read of ours sees."""
    sock = connect(path)
    say(ask(sock, "note before"))

    def act():
        try:
            sock.send(b"note urgent\n", socket.MSG_OOB)
        except OSError:
            pass
    run(act)
    say(ask(sock, "note after"))


def threads(path):
    """Every thread is the process."""
    sock = connect(path)
    thread = threading.Thread(target=lambda: say(ask(sock, "note thread")))
    thread.start()
    thread.join()


def passes(path, connector, writer):
    """The socket is passed to a process that is no relative of the connector's."""
    ours, theirs = socket.socketpair()

    def connects():
        become(int(connector))
        sock = connect(path)
        say(ask(sock, "note before"))
        socket.send_fds(theirs, [b"."], [sock.fileno()])
        theirs.recv(1)
        say(receive(sock))

    def writes():
        _, (number,), _, _ = socket.recv_fds(ours, 1, 1)
        become(int(writer))
        blind(socket.socket(fileno=number), "note after")
        ours.send(b".")
    connector = child(connects)
    run(writes)
    assert os.waitpid(connector, 0)[1] == 0


if __name__ == "__main__":
    scenarios = {**vars(peer_claims), **vars(peer_endings), **globals()}
    scenarios[sys.argv[1].replace("-", "_")](*sys.argv[2:])
