"""Processes that end while others hold their connection: scenarios of peers.py."""

import os
import socket

from peer_tools import ask, become, blind, child, connect, receive, say


def connector_that_ends(path, lines):
    """Has a process of user 500 connect, send and end, and keeps its socket; returns it and the number."""
    ours, theirs = socket.socketpair()

    def connects():
        become(500)
        sock = connect(path)
        socket.send_fds(theirs, [b"."], [sock.fileno()])
        # Sent last, and nothing is waited for.
        sock.sendall(lines.encode())
    number = child(connects)
    _, (descriptor,), _, _ = socket.recv_fds(ours, 1, 1)
    assert os.waitpid(number, 0)[1] == 0
    return socket.socket(fileno=descriptor), number


def as_process(number, action):
    """Runs an action in a child with a certain number; tells whether it could be had."""
    for _ in range(2000):
        with open("/proc/sys/kernel/ns_last_pid", "w") as last:
            last.write(str(number - 1))
        made = child(lambda: action() if os.getpid() == number else None)
        assert os.waitpid(made, 0)[1] == 0
        if made == number:
            return True
    return False


def ends(path):
    """What was sent before the end is the caller's own, as far as its lines are whole."""
    sock, _ = connector_that_ends(path, "note 1\nnote 2\nnote 3\nnote ha")
    answers = [receive(sock) for _ in range(5)]
    say(*answers[:3], "parse_error" in answers[3], answers[4])


def ends_too_long(path):
    """A line over the limit is refused once."""
    sock, _ = connector_that_ends(path, "note 1\nnote " + "x" * 5000)
    *answers, last = [receive(sock) for _ in range(3)]
    # The refusal need not wait for the answer.
    say("noted" in answers, sum("too_large" in answer for answer in answers), last)


def ends_recycled(path):
    """A process of the same user, with the number of one that has ended, has its socket."""
    sock, number = connector_that_ends(path, "note before\n")
    say(receive(sock), receive(sock))

    def act():
        become(500)
        say(ask(sock, "note after"))
    say("the number", "again" if as_process(number, act) else "not again")


def ends_owed(path):
    """The same while an answer is owed, so that the connection is still open."""
    sock, number = connector_that_ends(path, "hold owed\n")
    # By the second answer the server has seen everything that happened before the first question.
    other = connect(path)
    say(ask(other, "echo 1"), ask(other, "echo 2"))

    def act():
        become(500)
        blind(sock, "note after")
    say("the number", "again" if as_process(number, act) else "not again")
    say(ask(other, "release"), receive(sock), receive(sock))


def ends_throttled(path, count):
    """The same while the server reads no more, so that what was sent waits in the socket."""
    count = int(count)
    sock, number = connector_that_ends(path, "hold x\n" * count + "note own\n")
    other = connect(path)
    say(ask(other, "echo 1"), ask(other, "echo 2"))

    def act():
        become(500)
        blind(sock, "note after")
    say("the number", "again" if as_process(number, act) else "not again")
    answers = []
    while answers[-1:] != ["closed"]:
        ask(other, "release")
        sock.settimeout(0.05)
        try:
            while answers[-1:] != ["closed"]:
                answers.append(receive(sock))
        except TimeoutError:
            pass
    say(answers.count("x"), answers.count("noted"), len(answers))
