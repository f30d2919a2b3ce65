"""Connects from control groups: peer_units.py SOCKET HIERARCHY=PATH…

Makes each control group (HIERARCHY is 2 for version 2, 1 for systemd's of version 1; both may be
given, joined by a comma), connects to the server of the tests from a process in it, and prints the
unit that the server takes the process for and the one that libsystemd does, `-` for none and `?`
where that is not to be asked. Prints nothing at all where control groups cannot be made.
"""

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


def ask(path):
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(path)
    sock.sendall(b"caller\n")
    return sock.makefile().readline().rstrip("\n").split(" ")[3]


def visit(path, groups, mounts, made):
    """Connects from the groups."""
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
            goes_by, theirs = oracle()
            if groups[0][0] != goes_by or len(groups) > 1:
                theirs = "?"
            os.write(writer, f"{ask(path)} {theirs}\n".encode())
        finally:
            os._exit(0)
    os.close(writer)
    print(os.fdopen(reader).read(), end="", flush=True)
    os.waitpid(number, 0)


def main():
    path, wanted = sys.argv[1], sys.argv[2:]
    mounts, made = trees(), []
    try:
        for words in wanted:
            groups = [word.split("=", 1) for word in words.split(",")]
            if any(hierarchy not in mounts for hierarchy, _ in groups):
                print("no hierarchy", flush=True)
                continue
            visit(path, groups, mounts, made)
    except OSError as problem:
        print(problem, file=sys.stderr)
    finally:
        for folder in reversed(made):
            os.rmdir(folder)


main()
