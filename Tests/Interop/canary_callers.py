"""Callers whose answers are kept, to be looked through for canaries."""

import json
import socket
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Dict, List, Optional

sys.path.insert(0, str(Path(__file__).resolve().parent))

from canary import Canaries  # noqa: E402
from vault_client import VaultError, WireError, octets_of  # noqa: E402

LEAST = 32      # octets of messages that are looked for: shorter ones may be the same each time


class Told:
    """What is to be looked through."""

    def __init__(self) -> None:
        self.answers: Dict[str, Dict[str, List[str]]] = {
            who: defaultdict(list) for who in ("own", "other")}
        self.codes: Counter = Counter()
        self.successes: Counter = Counter()
        # By method, while the disk is full.
        self.full: Optional[Dict[str, Counter]] = None

    def add(self, who: str, method: str, line: bytes) -> None:
        self.answers[who][method].append(line.decode())
        answer = json.loads(line)
        if "result" in answer:
            self.successes[method] += 1
        if who == "own":
            refusal = answer.get("error", {}).get("data") or answer["result"].get("refusal")
            code = refusal["code"] if refusal else "ok"
            self.codes[code] += 1
            if self.full is not None:
                self.full[method][code] += 1


class Caller:
    """A connection that is made anew when it ends, and whose answers are told."""

    def __init__(self, told: Told, path: str, who: str = "own"):
        self._told, self._path, self._who = told, path, who
        self._socket: Optional[socket.socket] = None
        self._number = 0
        self.presentation: Optional[str] = None

    def _connect(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(60)
        self._socket.connect(self._path)
        self._file = self._socket.makefile("rb")

    def close(self) -> None:
        if self._socket:
            self._file.close()
            self._socket.close()
            self._socket = None

    def send(self, method: str, line: bytes, is_last: bool = False) -> bytes:
        """The answer to a line, empty when the vault closes without one."""
        if self._socket is None:
            self._connect()
        try:
            self._socket.sendall(line if is_last else line + b"\n")
            if is_last:
                self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass        # it was closed already: what it has said is still to be read
        try:
            answer = self._file.readline()
        except OSError:
            answer = b""
        if answer:
            self._told.add(self._who, method, answer)
        if not answer or is_last:
            self.close()
        return answer

    def ask(self, method: str, params: Optional[dict] = None) -> dict:
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method}
        if params is not None:
            request["params"] = params
        answer = self.send(method, json.dumps(request, ensure_ascii=False).encode())
        return json.loads(answer) if answer else {}

    def call(self, method: str, params: Optional[dict] = None) -> dict:
        answer = self.ask(method, params)
        if "error" in answer:
            raise VaultError(method, answer["error"])
        if "result" not in answer:
            raise WireError(f"{method}: no answer")
        return answer["result"]


class Watched:
    """A caller all of whose presentations and signatures become canaries."""

    def __init__(self, caller: Caller, canaries: Canaries):
        self._caller, self._canaries, self._count = caller, canaries, 0

    def call(self, method: str, params: Optional[dict] = None) -> dict:
        result = self._caller.call(method, params)
        self._count += 1
        name = f"run {self._count} {method}"
        given = [("message", (params or {}).get("message"))]
        given += [(f"answer {number}", text) for number, text in enumerate(
            result.get("messages", []))]
        given.append(("signature", result.get("signature")))
        for what, text in given:
            if text and len(octets_of(text)) >= LEAST:
                self._canaries.known(f"{name} {what}", octets_of(text), "echo")
        if method == "presentation.open":
            self._canaries.known(f"{name} id", bytes.fromhex(result["presentation"]), "echo")
        return result

    def close(self) -> None:
        self._caller.close()
