"""What the tests of the relay share: a vault and a reader that say what a test wrote down.

Answers and SDUs wait in the sockets' buffers before the relay runs, so nothing here is a thread
and no test depends on who is faster.
"""

import json
import socket
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from ble_relay.channel import Channel  # noqa: E402
from ble_relay.relay import Opening, Relay  # noqa: E402
from ble_relay.vault import Vault  # noqa: E402
from vault_client import base64_text  # noqa: E402

OPENING = Opening("demo/front-door", "unsecure", b"\x01\x00", b"\x01\x00")
PATIENCE = 20.0    # longer than any test takes: a wait that comes to this is a failure of the test


def step(*messages: bytes, state: str = "awaiting_auth0", events=(), **more) -> dict:
    """A result of `presentation.exchange`."""
    shown = [event if isinstance(event, dict) else {"event": event} for event in events]
    return {"messages": [base64_text(m) for m in messages], "state": state, "events": shown,
            "seq": 1, **more}


def opened(*messages: bytes, **more) -> dict:
    return {"presentation": "ab" * 16, "expires": "2030-01-01T00:00:00Z",
            **step(*messages, **more)}


class VaultEnd:
    """The vault's side: answers call 1, 2, ... with what it was given."""

    def __init__(self, timeout: float = PATIENCE):
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        theirs.settimeout(timeout)
        self.vault = Vault(theirs)
        self._answered = 0

    def answer(self, *results: object) -> "VaultEnd":
        """A dict is a result, a string the word of an error, bytes a line as it is."""
        for result in results:
            self._answered += 1
            self._ours.sendall(self._line(result))
        return self

    def _line(self, result: object) -> bytes:
        if isinstance(result, bytes):
            return result
        answer = {"jsonrpc": "2.0", "id": str(self._answered)}
        if isinstance(result, str):
            answer["error"] = {"code": -32000, "message": "no",
                               "data": {"code": result, "retry": False}}
        else:
            answer["result"] = result
        return json.dumps(answer).encode() + b"\n"

    def hang_up(self) -> "VaultEnd":
        self._ours.shutdown(socket.SHUT_WR)
        return self

    def close(self) -> None:
        self._ours.close()
        self.vault.close()

    def calls(self) -> list:
        """Method and parameters of each call made."""
        self.vault.close()
        with self._ours:
            lines = self._ours.makefile("rb").read().splitlines()
        return [(call["method"], call["params"]) for call in map(json.loads, lines)]


class ReaderEnd:
    """The reader's side of the channel."""

    def __init__(self):
        self.connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.channel = Channel(theirs)

    def say(self, *messages: bytes) -> "ReaderEnd":
        for message in messages:
            self.connection.send(message)
        return self

    def heard(self) -> list:
        """Every SDU up to the end of the channel; without an end this fails."""
        self.connection.settimeout(PATIENCE)
        heard = []
        with self.connection:
            while True:
                try:
                    message = self.connection.recv(1 << 16)
                except ConnectionResetError:
                    continue    # the relay left something unread; what it sent comes after
                if not message:
                    return heard
                heard.append(message)


class Bench:
    """A relay between the two; `told` is what it said meanwhile."""

    def __init__(self, patience: float = PATIENCE, vault_timeout: float = PATIENCE):
        self.vault_end, self.reader = VaultEnd(vault_timeout), ReaderEnd()
        self.patience = patience
        self.told = []

    def close(self) -> None:
        self.vault_end.close()
        self.reader.connection.close()
        self.reader.channel.close()

    def run(self, channel=None, opening: Opening = OPENING):
        relay = Relay(self.vault_end.vault, channel or self.reader.channel, self.patience,
                      lambda name, **fields: self.told.append((name, fields)))
        return relay.run(opening)


class FakeSocket:
    """A connection that does what the test says: values are returned, exceptions raised."""

    def __init__(self, recv=(), send=()):
        self._recv, self._send = iter(recv), iter(send)
        self.closed = False
        self.sent = []
        self.timeouts = []

    def recv(self, _: int) -> bytes:
        return _next(self._recv)

    def send(self, octets: bytes) -> int:
        self.sent.append(octets)
        return _next(self._send)

    def sendall(self, octets: bytes) -> None:
        self.sent.append(octets)

    def settimeout(self, timeout: float) -> None:
        self.timeouts.append(timeout)

    def close(self) -> None:
        self.closed = True


def _next(values):
    value = next(values)
    if isinstance(value, BaseException):
        raise value
    return value
