"""Connects from control groups: peer_units.py SOCKET HIERARCHY=PATH…

Makes each control group (HIERARCHY is 2 for version 2, 1 for systemd's of version 1; both may be
given, joined by a comma), connects to the server of the tests from a process in it, and prints the
unit that the server takes the process for and the one that libsystemd does, `-` for none and `?`
where that is not to be asked; or `no hierarchy`.

peer_units.py --call LINE --uid UID SOCKET HIERARCHY=PATH… connects to a vault instead, as another
user, sends the line, and prints the answer. peer_units.py --can prints `yes` where groups can be made
in version 2, and the kernel tells the process that connected.
"""

import argparse
import ctypes
import os
import signal
import socket
import sys

signal.alarm(60)


def trees():
    """Where the hierarchies are mounted whole."""
    found = {}
    for line in open("/proc/self/mountinfo"):
        fields, kind = line.rstrip("\n").split(" - ")
        root, point = fields.split(" ")[3:5]
        kind, _, options = kind.split(" ")
        if root != "/":
            continue
        if kind == "cgroup2":
            found["2"] = point
        elif kind == "cgroup" and "name=systemd" in options.split(","):
            found["1"] = point
    return found


def place(hierarchy):
    """The path of this process in a hierarchy."""
    for line in open("/proc/self/cgroup"):
        _, controllers, path = line.rstrip("\n").split(":", 2)
        if controllers == {"2": "", "1": "name=systemd"}[hierarchy]:
            return path
    return None


def oracle():
    """What libsystemd says of this process, and the hierarchy that it goes by."""
    def has(point):
        return any(line.split(" ")[1:3] == [point, "cgroup2"] for line in open("/proc/mounts"))
    goes_by = "2" if has("/sys/fs/cgroup") or has("/sys/fs/cgroup/unified") else "1"
    try:
        library = ctypes.CDLL("libsystemd.so.0")
    except OSError:
        return goes_by, "?"
    name = ctypes.c_char_p()
    result = library.sd_pid_get_unit(os.getpid(), ctypes.byref(name))
    return goes_by, name.value.decode() if result >= 0 else "-"


def ask(path, line):
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(path)
    try:
        sock.sendall(line.encode() + b"\n")
    except BrokenPipeError:
        pass
    return sock.makefile().readline().rstrip("\n")


def call(path, line, uid):
    """Another user's call."""
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    return ask(path, line)


def compare(path, groups):
    """The unit by the server, and by libsystemd."""
    goes_by, theirs = oracle()
    if groups[0][0] != goes_by or len(groups) > 1:
        theirs = "?"
    return f"{ask(path, 'caller').split(' ')[3]} {theirs}"


def visit(groups, mounts, made, act):
    """Prints what comes of an action in the groups."""
    for hierarchy, group in groups:
        folder = mounts[hierarchy]
        for part in group.split("/")[1:]:
            folder += "/" + part
            if not os.path.isdir(folder):
                os.mkdir(folder)
                made.append(folder)
    reader, writer = os.pipe()
    number = os.fork()
    if number == 0:
        try:
            for hierarchy, group in groups:
                with open(mounts[hierarchy] + group + "/cgroup.procs", "w") as members:
                    members.write("0")
                assert place(hierarchy) == group, place(hierarchy)
            os.write(writer, act().encode() + b"\n")
        finally:
            os._exit(0)
    os.close(writer)
    print(os.fdopen(reader).read(), end="", flush=True)
    os.waitpid(number, 0)


def can():
    """Whether groups can be made in version 2, and the kernel tells the process that connected."""
    probe = f"{trees().get('2', '/none')}/lktest{os.getpid()}"
    try:
        os.mkdir(probe)
        os.rmdir(probe)
        ours, _ = socket.socketpair()
        os.close(int.from_bytes(ours.getsockopt(socket.SOL_SOCKET, 77, 4), sys.byteorder))
        return True
    except OSError:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--can", action="store_true")
    parser.add_argument("--call")
    parser.add_argument("--uid", type=int)
    parser.add_argument("socket", nargs="?")
    parser.add_argument("groups", nargs="*")
    chosen = parser.parse_args()
    if chosen.can:
        return print("yes" if can() else "no")
    mounts, made = trees(), []
    try:
        for words in chosen.groups:
            groups = [word.split("=", 1) for word in words.split(",")]
            if any(hierarchy not in mounts for hierarchy, _ in groups):
                print("no hierarchy", flush=True)
            elif chosen.call:
                visit(groups, mounts, made, lambda: call(chosen.socket, chosen.call, chosen.uid))
            else:
                visit(groups, mounts, made, lambda: compare(chosen.socket, groups))
    except OSError as problem:
        print(problem, file=sys.stderr)
    finally:
        for folder in reversed(made):
            os.rmdir(folder)


main()
