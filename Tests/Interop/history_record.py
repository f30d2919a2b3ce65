"""Calls that are written down: when each was sent, and what came of it.

Times are those of the machine's monotonic clock, which all processes share.
"""

import json
import time
from dataclasses import asdict, dataclass, field
from typing import Callable, Dict, Optional, TextIO, Tuple

from vault_client import VaultClient, VaultError, WireError, octets_of

PATIENCE = 120.0        # seconds; an answer that takes longer is one that does not come

CONNECTION = "connection "      # begins the code where the connection was refused


@dataclass
class Attempt:
    """One call. `answered` is when its answer was there, and `code` why it was refused.

    Without an answer, `cut` says that the connection has died, which was seen at `ended`. `since`
    is when the connection was made. `told` holds what of the question and of the answer the checks
    go by.
    """

    pid: int
    uid: int
    endpoint: str
    method: str
    namespace: Optional[str]
    since: int
    sent: int
    answered: Optional[int] = None
    code: Optional[str] = None
    seq: Optional[int] = None
    cut: bool = False
    ended: Optional[int] = None
    told: dict = field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        return self.answered is not None and self.code is None

    def __str__(self) -> str:
        end = "no answer" if self.answered is None else self.code or f"ok {self.seq or ''}"
        return f"{self.method} {self.namespace or ''} of {self.pid}: {end}"


@dataclass
class Run:
    """One presentation to a reader that knows a version of the credential.

    `end` is how it ended: "granted"; "refused" by the vault; "cut" with the connection; or
    "reader", when the reader did not accept what came. `known_since` is the audit number of the
    step that made the persistent key which it was keyed by.
    """

    presentation: str
    version: int
    end: str
    text: str = ""
    known_since: Optional[int] = None


def picked(*names: str) -> Callable[[dict], dict]:
    return lambda found: {name: found[name] for name in names if name in found}


def _refusal(result: dict) -> dict:
    code = result.get("refusal", {}).get("code")
    return {"refusal": code} if code else {}


def _description(result: dict) -> dict:
    return {"state": result["state"], "id": result["id"], "pass": result["pass"],
            "keys": {key["purpose"]: key["version"] for key in result["keys"]}}


def _signature(result: dict) -> dict:
    return {"signature": octets_of(result["signature"]).hex(), "format": result["format"],
            "version": result.get("version", result.get("key_version"))}


# What is kept of questions and of answers.
ASKED: Dict[str, Callable[[dict], dict]] = {
    "key.public": picked("purpose"),
    "key.sign": lambda params: {"message": octets_of(params["message"]).hex()},
    "presentation.exchange": picked("presentation"),
    "presentation.request": picked("presentation"),
    "presentation.close": picked("presentation"),
    "namespace.revoke": picked("prefix"),
    "policy.set": picked("policy"),
}
ANSWERED: Dict[str, Callable[[dict], dict]] = {
    "key.public": picked("version", "created", "point"),
    "key.sign": _signature,
    "presentation.sign": _signature,
    "presentation.open": picked("presentation"),
    "presentation.exchange": _refusal,
    "presentation.request": _refusal,
    "pass.store": lambda result: {"digest": octets_of(result["digest"]).hex(),
                                  "replaced": result["replaced"]},
    "pass.info": lambda result: {"digest": octets_of(result["digest"]).hex()},
    "pass.delete": picked("key", "pass"),
    "namespace.create": picked("created", "id"),
    "namespace.get": _description,
    "namespace.suspend": picked("changed", "id"),
    "namespace.resume": picked("changed", "id"),
    "namespace.revoke": picked("count", "id"),
    "policy.set": picked("revision"),
    "presentation.match": lambda result: {"matches": sorted({
        match["namespace"] for match in result["matches"]})},
}


class Journal:
    """Where the attempts and runs of one process go, one JSON object a line."""

    def __init__(self, stream: TextIO, pid: int, uid: int):
        self._stream, self.pid, self.uid = stream, pid, uid

    def write(self, kind: str, entry: object) -> None:
        self._stream.write(json.dumps({kind: asdict(entry)}, separators=(",", ":")) + "\n")

    def close(self) -> None:
        self._stream.close()


def read_journal(stream: TextIO) -> Tuple[list, list]:
    """The attempts and the runs of a journal."""
    attempts, runs = [], []
    for line in stream:
        entry = json.loads(line)
        if "attempt" in entry:
            attempts.append(Attempt(**entry["attempt"]))
        else:
            runs.append(Run(**entry["run"]))
    return attempts, runs


class RecordedClient(VaultClient):
    """A connection whose calls are written down, one after the other or many under way."""

    def __init__(self, path: str, endpoint: str, journal: Journal):
        self.since = time.monotonic_ns()
        super().__init__(path, PATIENCE)
        self.endpoint, self.journal = endpoint, journal
        self.last_seq: Optional[int] = None
        self.waiting: Dict[str, Attempt] = {}
        self.sessions: Dict[str, str] = {}      # presentations opened here, and their namespaces

    def call(self, method: str, params: Optional[dict] = None, **told: object) -> dict:
        """`told` is kept besides what the method's calls are known by."""
        self.post(method, params or {}, **told)
        return self.take()

    def post(self, method: str, params: dict, **told: object) -> None:
        identifier = f"h-{self._next_id}"
        self._next_id += 1
        namespace = params.get("namespace", params.get(
            "prefix", self.sessions.get(params.get("presentation"))))
        attempt = Attempt(
            self.journal.pid, self.journal.uid, self.endpoint, method, namespace, self.since, 0,
            told={**ASKED.get(method, lambda _: {})(params), **told})
        self.waiting[identifier] = attempt
        request = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        attempt.sent = time.monotonic_ns()
        try:
            self._socket.sendall(line)
        except OSError:
            pass    # What came before the end is still to be read; `take` meets the end.

    def take(self) -> dict:
        """The next answer's result; raises `VaultError` for a refusal, `WireError` at the end."""
        try:
            line = self._read_line()
        except (OSError, WireError) as error:
            self._cut(not isinstance(error, TimeoutError))
            raise WireError(str(error)) from error
        now = time.monotonic_ns()
        identifier = json.loads(line)["id"]
        if identifier is None:
            self._turned_away(now, json.loads(line)["error"]["data"]["code"])
        if identifier not in self.waiting:
            raise AssertionError(f"an answer that nobody waits for: {line!r}")
        attempt = self.waiting.pop(identifier)
        attempt.answered = now
        try:
            result = self._take(attempt.method, identifier, line)
        except VaultError as error:
            attempt.code = error.code
            raise
        else:
            attempt.told |= ANSWERED.get(attempt.method, lambda _: {})(result)
            attempt.seq = self.last_seq = result.get("seq")
            if attempt.method == "presentation.open":
                self.sessions[result["presentation"]] = attempt.namespace
            return result
        finally:
            self.journal.write("attempt", attempt)

    def _turned_away(self, now: int, code: str) -> None:
        """The connection was refused as a whole, and with it what was asked over it."""
        for attempt in self.waiting.values():
            attempt.answered, attempt.code = now, f"{CONNECTION}{code}"
            self.journal.write("attempt", attempt)
        self.waiting = {}
        raise WireError(f"the connection was refused: {code}")

    def _cut(self, is_dead: bool) -> None:
        for attempt in self.waiting.values():
            attempt.cut, attempt.ended = is_dead, time.monotonic_ns()
            self.journal.write("attempt", attempt)
        self.waiting = {}
