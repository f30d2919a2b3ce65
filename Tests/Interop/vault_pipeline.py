"""Many calls on one connection at once: answers are matched by id, as they may overtake."""

import json
import selectors
import socket
from typing import Iterable, Iterator, Tuple

from vault_client import WireError

WINDOW = 192   # below the vault's bound on unanswered requests of a connection (256)


class Pipeline:
    """One connection; `run` keeps a window of calls under way."""

    def __init__(self, path: str, timeout: float = 60.0):
        self._timeout = timeout
        self._input = b""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
        except OSError as error:
            raise WireError(f"cannot connect to {path}: {error}") from error
        self._socket.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_READ)

    def __enter__(self) -> "Pipeline":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._selector.close()
        self._socket.close()

    def run(self, calls: Iterable[Tuple[str, dict]]) -> Iterator[Tuple[int, dict]]:
        """Yields `(index of the call, answer)` in the order in which answers come.

        An answer is the whole JSON-RPC object: `result` or `error`. Raises `WireError`
        when the connection ends before the last answer.
        """
        source = enumerate(calls)
        waiting, output, more = set(), b"", True
        while more or waiting:
            while more and len(waiting) < WINDOW:
                entry = next(source, None)
                if entry is None:
                    more = False
                    break
                index, (method, params) = entry
                waiting.add(index)
                output += json.dumps({"jsonrpc": "2.0", "id": index, "method": method,
                                      "params": params}, separators=(",", ":")).encode() + b"\n"
            if not waiting:
                break
            output = self._transfer(output)
            for index, answer in self._answers():
                if index not in waiting:
                    raise WireError(f"an answer to {index!r}, which nobody asked")
                waiting.discard(index)
                yield index, answer

    def _transfer(self, output: bytes) -> bytes:
        """Sends and receives what goes without waiting, waiting for either first."""
        interest = selectors.EVENT_READ | (selectors.EVENT_WRITE if output else 0)
        self._selector.modify(self._socket, interest)
        events = self._selector.select(self._timeout)
        if not events:
            raise WireError("no answer in time")
        ready = events[0][1]
        try:
            if ready & selectors.EVENT_WRITE:
                output = output[self._socket.send(output):]
            if ready & selectors.EVENT_READ:
                octets = self._socket.recv(1 << 18)
                if not octets:
                    raise WireError("the vault closed the connection")
                self._input += octets
        except BlockingIOError:
            pass
        except OSError as error:
            raise WireError(str(error)) from error
        return output

    def _answers(self) -> Iterator[Tuple[int, dict]]:
        *lines, self._input = self._input.split(b"\n")
        for line in lines:
            answer = json.loads(line)
            yield answer["id"], answer
