"""Processes that do odd things with a connection: peers.py SCENARIO SOCKET [ARGUMENT…]

Started by root. Each scenario connects as one user and then tries to have the server take a line from
another process or user; the lines are of the scripted service of the server's tests, where
`note TEXT` leaves the text with the uid that the server took the caller for. What a scenario sees of
the server is printed; what the server has noted is the test's to look at.
"""

import array
import os
import shutil
import signal
import socket
import struct
import sys
import threading

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


# What a writer says of itself.


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
        "import sys; sys.path.insert(0, sys.argv[1]); import peers, os, socket\n"
        "sock = socket.socket(fileno=9)\n"
        "peers.say(os.getuid(), peers.claim(sock, 'note claimed', os.getppid(), 0, 0))\n"
        "peers.say(peers.claim(sock, 'note claimed', 1, 0, 0))\n"
        "peers.say(peers.claim(sock, 'note mine', os.getpid(), 0, 0))\n")
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


# Descriptors.


def flood(path, daemon):
    """Descriptors by the thousand, most of them sent while nobody reads; the server keeps none."""
    def count():
        return len(os.listdir(f"/proc/{daemon}/fd"))
    before = count()
    reader, writer = os.pipe()
    become_later = [connect(path) for _ in range(4)]
    for sock in become_later:
        ask(sock, "echo in")
    during = count()
    for round in range(25):
        for sock in become_later:
            rights = array.array("i", [writer] * 253)
            sock.sendmsg([b"note %d\n" % round], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    for sock in become_later:
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
    for sock in become_later:
        sock.close()


if __name__ == "__main__":
    globals()[sys.argv[1].replace("-", "_")](*sys.argv[2:])
