"""The vault's socket: JSON-RPC 2.0, one object on one line, and what its answers mean.

Answers are checked before they are used: the vault is trusted with keys, not with the form of
its lines, and a gateway may be older or newer than it.
"""

import base64
import json
import socket
from typing import List, NamedTuple, Optional, Tuple

from .outcome import Ending, Exit, Failure

ANSWER_LIMIT = 1 << 20    # octets of one line
MESSAGE_LIMIT = 4096      # octets of one message of either side, as the schema has it
LONGEST_TIMEOUT = 3_600_000    # ms; sockets do not take any number
LAST_STATES = ("finished", "failed", "closed")


class Refused(Failure):
    """The vault answered with an error; `code` is its word for it."""

    def __init__(self, method: str, code: str, message: str):
        ending = Ending.of(code, f"{method}: {message} ({code})")
        super().__init__(*ending)
        self.code = code


class Vault:
    """One connection; calls are made one after the other, and end with it."""

    def __init__(self, connection: socket.socket):
        self._connection = connection
        self._next_id = 1
        self._read = b""

    @classmethod
    def connect(cls, path: str, timeout: float) -> "Vault":
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(timeout)
        try:
            connection.connect(path)
        except OSError as error:
            connection.close()
            exit = Exit.FORBIDDEN if isinstance(error, PermissionError) else Exit.UNAVAILABLE
            raise Failure(exit, f"cannot connect to the vault at {path}: "
                                f"{error.strerror or error}") from error
        return cls(connection)

    def __enter__(self) -> "Vault":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def call(self, method: str, **params: object) -> dict:
        """The result; parameters that are None are left out."""
        identifier, self._next_id = str(self._next_id), self._next_id + 1
        given = {name: value for name, value in params.items() if value is not None}
        request = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": given}
        try:
            self._connection.sendall(json.dumps(request).encode() + b"\n")
            line = self._line(method)
        except TimeoutError as error:
            self.close()    # a late answer must not be taken for that of the next call
            raise Failure(Exit.TRY_AGAIN, f"{method}: the vault does not answer") from error
        except OSError as error:
            self.close()
            raise Failure(Exit.UNAVAILABLE, f"{method}: the vault is gone: "
                                            f"{error.strerror or error}") from error
        return _result(method, identifier, line)

    def _line(self, method: str) -> bytes:
        while b"\n" not in self._read:
            if len(self._read) > ANSWER_LIMIT:
                self.close()
                raise Failure(Exit.MISMATCH, f"{method}: the answer is too long")
            octets = self._connection.recv(1 << 16)
            if not octets:
                self.close()
                raise Failure(Exit.UNAVAILABLE, f"{method}: the vault closed the connection")
            self._read += octets
        line, self._read = self._read.split(b"\n", 1)
        return line


def _result(method: str, identifier: str, line: bytes) -> dict:
    try:
        answer = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Failure(Exit.MISMATCH, f"{method}: the answer is not JSON in UTF-8") from error
    fields = Fields(method, answer)
    if fields.take("jsonrpc", str) != "2.0" or answer.get("id") != identifier:
        raise Failure(Exit.MISMATCH, f"{method}: the answer is not one to this call")
    if "error" in answer:
        error = Fields(method, answer["error"])
        data = Fields(method, error.take("data", dict))
        raise Refused(method, data.take("code", str), error.take("message", str))
    return fields.take("result", dict)


class Fields:
    """Members of an answer, each of the kind it must be."""

    def __init__(self, method: str, members: object):
        self._method = method
        if not isinstance(members, dict):
            raise self.bad("answer")
        self._members = members

    def bad(self, name: str) -> Failure:
        return Failure(Exit.MISMATCH, f"{self._method}: {name} is missing, or not of its form")

    def take(self, name: str, kind: type, default: object = None):
        """The member; absent and without a default it is a failure."""
        value = self._members.get(name, default)
        # True is an int to Python, and not to JSON.
        if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
            raise self.bad(name)
        return value

    def octets(self, name: str, text: object) -> bytes:
        try:
            return base64.b64decode(text, validate=True)
        except (TypeError, ValueError) as error:
            raise self.bad(name) from error


class Event(NamedTuple):
    name: str
    detail: str


class Step(NamedTuple):
    """What a call of a presentation has brought about."""

    messages: List[bytes]           # to the reader, in order, one per SDU
    state: str
    events: List[Event]
    refusal: Optional[Tuple[str, str]]    # the class and the words
    status_word: str
    timeout: Optional[float]        # seconds in which the reader's next message must come
    is_last: bool                   # after the messages: disconnect
    ranging: List[str]              # UWB messages of the reader, by name

    @classmethod
    def read(cls, method: str, result: dict) -> "Step":
        fields = Fields(method, result)
        messages = [fields.octets("messages", text) for text in fields.take("messages", list)]
        if not all(1 <= len(message) <= MESSAGE_LIMIT for message in messages):
            raise fields.bad("messages")
        events = [Fields(method, event) for event in fields.take("events", list)]
        refusal = None
        if "refusal" in result:
            reason = Fields(method, result["refusal"])
            refusal = reason.take("code", str), reason.take("message", str)
        timeout = None
        if "timeout_ms" in result:
            timeout = min(fields.take("timeout_ms", int), LONGEST_TIMEOUT)
            if timeout < 0:
                raise fields.bad("timeout_ms")
        state = fields.take("state", str)
        ranging = [Fields(method, one) for one in fields.take("ranging", list, [])]
        return cls(
            messages, state,
            [Event(event.take("event", str), event.take("detail", str, "")) for event in events],
            refusal, fields.take("status_word", str, ""),
            None if timeout is None else timeout / 1000,
            fields.take("disconnect", bool, False) or state in LAST_STATES,
            [one.take("message", str) for one in ranging])


def base64_text(octets: bytes) -> str:
    return base64.b64encode(octets).decode("ascii")
