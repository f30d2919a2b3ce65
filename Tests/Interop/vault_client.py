"""A small JSON-RPC client for the vault's sockets: one object per line.

It checks the envelope strictly, because a server that bends the envelope is a finding.
"""

import base64
import json
import socket
from datetime import datetime, timedelta, timezone
from typing import Optional


def base64_text(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


def octets_of(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def a_minute_ago() -> str:
    """A time that `clock.set_floor` takes."""
    return (datetime.now(timezone.utc) - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


class VaultError(Exception):
    """The vault refused the call; `code` is `error.data.code`."""

    def __init__(self, method: str, error: dict):
        self.number = error["code"]
        self.code = error["data"]["code"]
        self.field = error["data"].get("field")
        self.retry = error["data"].get("retry", False)
        super().__init__(f"{method}: {self.code} ({self.number}): {error['message']}")


class WireError(Exception):
    """The connection broke, or what came is not an answer to the request."""


class VaultClient:
    """One connection; calls are made one after the other."""

    def __init__(self, path: str, timeout: float = 30.0):
        self._next_id = 1
        self._buffer = b""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise WireError(f"cannot connect to {path}: {error.strerror or error}") from error

    def __enter__(self) -> "VaultClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def call(self, method: str, params: Optional[dict] = None) -> dict:
        """The `result` object; raises `VaultError` when the vault says no."""
        identifier = f"py-{self._next_id}"
        self._next_id += 1
        request = {"jsonrpc": "2.0", "id": identifier, "method": method}
        if params is not None:
            request["params"] = params
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        try:
            self._socket.sendall(line)
            answer = self._read_line()
        except OSError as error:
            raise WireError(f"{method}: {error}") from error
        return self._take(method, identifier, answer)

    def _read_line(self) -> bytes:
        while b"\n" not in self._buffer:
            octets = self._socket.recv(65536)
            if not octets:
                raise WireError("the vault closed the connection")
            self._buffer += octets
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line

    @staticmethod
    def _take(method: str, identifier: str, line: bytes) -> dict:
        try:
            answer = json.loads(line.decode("utf-8"))
        except ValueError as error:
            raise WireError(f"{method}: the answer is not JSON") from error
        if not isinstance(answer, dict) or answer.get("jsonrpc") != "2.0":
            raise WireError(f"{method}: the answer is not JSON-RPC 2.0")
        if answer.get("id") != identifier:
            raise WireError(f"{method}: answer to id {answer.get('id')!r}, not {identifier!r}")
        if ("result" in answer) == ("error" in answer):
            raise WireError(f"{method}: an answer holds exactly one of result and error")
        if "error" in answer:
            raise _as_error(method, answer["error"])
        if not isinstance(answer["result"], dict):
            raise WireError(f"{method}: the result is not an object")
        return answer["result"]


def _as_error(method: str, error: dict) -> Exception:
    try:
        return VaultError(method, error)
    except (KeyError, TypeError):
        return WireError(f"{method}: an error without code, message and data.code: {error!r}")
