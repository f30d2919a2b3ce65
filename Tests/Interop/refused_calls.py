#!/usr/bin/env python3
"""Sends lines to one of the vault's sockets as fast as it takes them, and counts the answers.

Usage: refused_calls.py SOCKET COUNT LINE... Sends the lines in turn until COUNT were sent, over one
connection. `-` is a line of a few hundred KiB, and `+` the beginning of one, after which nothing
comes. Prints a JSON object: how many answers there were by the `error.data.code` of each (`ok`
without one), and how many there were none of, as `none`.
"""

import json
import socket
import sys
from collections import Counter

WINDOW = 64     # far below the vault's bound on unanswered requests of a connection
LONG = "x" * 600_000


class Lines:
    def __init__(self, path: str):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(30)
        self._socket.connect(path)
        self._file = self._socket.makefile("rb")

    def send(self, lines: list) -> None:
        for line in lines:
            text = {"-": LONG + "\n", "+": "{"}.get(line, line + "\n")
            try:
                self._socket.sendall(text.encode())
            except OSError:
                return      # it was closed: its answer says why
        if lines[-1:] == ["+"]:
            self._socket.shutdown(socket.SHUT_WR)

    def read(self) -> str:
        """The code of the next answer."""
        try:
            line = self._file.readline()
        except OSError:
            return "none"
        if not line:
            return "none"
        return json.loads(line).get("error", {}).get("data", {}).get("code", "ok")


def main() -> int:
    if len(sys.argv) < 4:
        print(__doc__.splitlines()[2], file=sys.stderr)
        return 64
    path, count, lines = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    codes: Counter = Counter()
    connection = Lines(path)
    for start in range(0, count, WINDOW):
        window = [lines[number % len(lines)] for number in range(start, min(start + WINDOW, count))]
        connection.send(window)
        codes.update(connection.read() for _ in window)
    print(json.dumps(codes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
