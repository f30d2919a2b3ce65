"""A client that is another user: a process of its own, so that the kernel says who calls."""

import json
import os
import socket
import sys
from typing import Dict

REQUEST_ID = "t"


class TenantProcess:
    """Connections of one user, by socket and number, each made when it is first used."""

    def __init__(self, uid: int, sockets: Dict[str, str]):
        self.uid = uid
        ours, theirs = socket.socketpair()
        self._process = os.fork()
        if self._process == 0:
            status = 1
            try:
                # What the parent holds would outlive it here, other tenants' ends among it.
                os.closerange(3, theirs.fileno())
                os.closerange(theirs.fileno() + 1, 1024)
                _become(uid)
                _serve(theirs.makefile("rwb"), sockets)
                status = 0
            except BaseException as error:      # it must never go on as the parent
                print(f"tenant {uid}: {error!r}", file=sys.stderr)
            finally:
                os._exit(status)
        theirs.close()
        self._socket = ours
        self._stream = ours.makefile("rwb")

    def ask(self, endpoint: str, method: str, params: dict, connection: int = 0) -> bytes:
        """The line that answers, or nothing when the vault has closed the connection."""
        line = json.dumps({"jsonrpc": "2.0", "id": REQUEST_ID, "method": method, "params": params})
        order = json.dumps({"endpoint": endpoint, "connection": connection, "line": line})
        self._stream.write(order.encode() + b"\n")
        self._stream.flush()
        answer = self._stream.readline()
        if not answer.endswith(b"\n"):
            raise RuntimeError(f"the process of tenant {self.uid} has ended")
        return answer[:-1]

    def close(self) -> None:
        self._stream.close()
        self._socket.close()
        os.waitpid(self._process, 0)


def _become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _serve(orders, sockets: Dict[str, str]) -> None:
    connections: dict = {}
    for order in map(json.loads, orders):
        key = (order["endpoint"], order["connection"])
        if key not in connections:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.settimeout(30)
            connection.connect(sockets[order["endpoint"]])
            connections[key] = connection.makefile("rwb")
        stream = connections[key]
        try:
            stream.write(order["line"].encode() + b"\n")
            stream.flush()
            answer = stream.readline()
        except OSError:
            answer = b""
        orders.write(answer.rstrip(b"\n") + b"\n")
        orders.flush()
