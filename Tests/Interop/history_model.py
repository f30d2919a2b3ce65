"""What a vault must be like after each line of its audit log, replayed from the lines alone."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

from history_record import Attempt

METHODS = {method["name"]: method for method in json.loads(
    (Path(__file__).resolve().parents[2] / "Schema/vault.openrpc.json").read_text())["methods"]}

# Whose answers carry what was computed with a key.
OUTPUT = {name for name, method in METHODS.items() if method["x-key-output"]}
# Reads whose answers wait for their number, because they rest on a namespace's records.
RESTING = {"key.list", "pass.info"}
# Whose lines are numbered where their effect or output is.
JUDGED = RESTING | OUTPUT | {
    name for name, method in METHODS.items() if method["x-effects"]} - {"unseal", "seal"}
SESSION = {"presentation.exchange", "presentation.request"}


class Problem(NamedTuple):
    rule: str
    text: str


@dataclass
class Key:
    """The newest version of a key, and whether it is there."""

    version: int = 0
    is_there: bool = False


@dataclass
class Namespace:
    identifier: Optional[str] = None
    state: str = "active"
    keys: Dict[str, Key] = field(default_factory=lambda: {
        "presentation": Key(), "signing": Key()})
    digest: Optional[str] = None    # of its pass
    ended: int = 0                  # the line that last ended its sessions

    def view(self) -> "View":
        return View(self.state, {purpose: key.version for purpose, key in self.keys.items()
                                 if key.is_there}, self.digest)


class View(NamedTuple):
    """What a read shows of a namespace."""

    state: str
    keys: Dict[str, int]
    digest: Optional[str]


class Opened(NamedTuple):
    seq: int
    namespace: str


class Replay:
    """`step` takes the lines in order, each with the call it is for."""

    def __init__(self) -> None:
        self.problems: List[Problem] = []
        self.namespaces: Dict[str, Namespace] = {}
        self.views: Dict[str, List[Tuple[int, View]]] = {}
        self.revoked: Dict[str, int] = {}       # the line that did it
        self.deletions: Dict[str, List[int]] = {}
        self.passes: Dict[str, List[int]] = {}  # lines that store or delete a pass
        self.created: set = set()               # lines that made a namespace
        self.versions: Dict[int, Optional[int]] = {}    # key versions of presentation steps
        self.steps: Dict[str, List[int]] = {}   # the answered steps of presentations
        self.sessions: Dict[str, Opened] = {}
        self.is_sealed, self.sealed = True, 0
        self.seals: List[Tuple[int, bool]] = [(0, True)]     # the lines that seal and unseal
        self._before: List[str] = []            # the methods of the last two lines
        self._identifiers: Dict[str, str] = {}

    def problem(self, rule: str, line: dict, text: str) -> None:
        self.problems.append(Problem(rule, f"{text}: {json.dumps(line)}"))

    def step(self, line: dict, attempt: Optional[Attempt], members: List[dict]) -> None:
        """`members` are the lines of the namespaces that a revocation by prefix names."""
        method, name = line["method"], line.get("namespace")
        # A refusal by the protocol is carried out and answered like any other step.
        counts = line["outcome"] == "ok" or (
            method in SESSION and attempt is not None and attempt.succeeded)
        self._turn_vault(line, counts)
        if not counts or method not in JUDGED:
            return
        if self.is_sealed:
            self.problem("sealed", line, "the vault is sealed")
        if name is None:
            return
        if "count" in line:
            return self._prefix(line, members, attempt)
        namespace = self._find(line, name)
        if namespace is None:
            return
        if method in OUTPUT:
            self._output(line, name, namespace, attempt)
        handler = getattr(self, "_" + method.replace(".", "_"), None)
        if handler:
            handler(line, namespace, attempt.told if attempt and attempt.succeeded else {},
                    attempt)
        self._note(line["seq"], name)

    def _turn_vault(self, line: dict, counts: bool) -> None:
        method = line["method"]
        if method == "vault.start":
            self._start(line)
        if method == "vault.start" or (method == "seal" and counts):
            self.is_sealed, self.sealed = True, line["seq"]
            self.seals.append((line["seq"], True))
        elif method == "unseal" and counts:
            self.is_sealed = False
            self.seals.append((line["seq"], False))
        elif method == "vault.damage":
            self.problem("damage", line, "something was lost or changed")
        self._before = [*self._before[-1:], method]

    def _start(self, line: dict) -> None:
        """A run that did not end in order is followed by a recovery, and no other."""
        is_recovered = self._before[-1:] == ["vault.recovered"]
        last = self._before[-2 if is_recovered else -1:][:1]
        if last and is_recovered != (last != ["vault.stop"]):
            self.problem("start", line, f"the run before ended with {last[0]}")

    def _note(self, seq: int, name: str) -> None:
        view, views = self.namespaces[name].view(), self.views.setdefault(name, [])
        if not views or views[-1][1] != view:
            views.append((seq, view))

    def _find(self, line: dict, name: str) -> Optional[Namespace]:
        """The namespace of a line, made if that is what the line does."""
        method, namespace = line["method"], self.namespaces.get(name)
        if namespace is None:
            if method not in ("namespace.create", "key.public"):
                self.problem("unknown", line, "there is no such namespace")
                return None
            namespace = self.namespaces[name] = Namespace()
            self.created.add(line["seq"])
        elif namespace.state == "revoked":
            self.problem("revoked", line, f"it was revoked by line {self.revoked[name]}")
            return None
        identifier = line.get("namespace_id")
        if identifier:
            known = namespace.identifier = namespace.identifier or identifier
            if known != identifier or self._identifiers.setdefault(identifier, name) != name:
                self.problem("identifier", line, f"{name} is {known}")
        return namespace

    def _flag(self, line: dict, told: dict, name: str, expected: object) -> None:
        if name in told and told[name] != expected:
            self.problem("effect", line, f"the answer says {name} {told[name]}, not {expected}")

    # --- output ---------------------------------------------------------------------------------

    def _output(self, line: dict, name: str, namespace: Namespace,
                attempt: Optional[Attempt]) -> None:
        method, version = line["method"], line.get("key_version")
        if namespace.state == "suspended":
            self.problem("suspended", line, "the namespace is suspended")
        key = namespace.keys["signing" if method == "key.sign" else "presentation"]
        there = key.version if key.is_there else None
        # Without a pass a session has nothing of a key to show, and may not know of a new one.
        is_empty = version is None and namespace.digest is None and (
            method in SESSION | {"presentation.open"})
        if version != there and not is_empty:
            self.problem("deleted", line, f"the key there is version {there}")
        if method == "presentation.sign" and namespace.digest is None:
            self.problem("deleted", line, "there is no pass")
        session = attempt.told.get("presentation") if attempt else None
        if method == "presentation.open" and session:
            self.sessions[session] = Opened(line["seq"], name)
        if method in SESSION and session:
            self._session(line, name, namespace, session)

    def _session(self, line: dict, name: str, namespace: Namespace, session: str) -> None:
        self.versions[line["seq"]] = line.get("key_version")
        self.steps.setdefault(session, []).append(line["seq"])
        opened = self.sessions.get(session)
        if opened is None or opened.namespace != name:
            self.problem("session", line, f"{session} was not opened")
        elif opened.seq < max(namespace.ended, self.sealed):
            self.problem("session", line, f"{session} ended with line "
                                          f"{max(namespace.ended, self.sealed)}")

    # --- effects --------------------------------------------------------------------------------

    def _namespace_create(self, line: dict, _: Namespace, told: dict, __: object) -> None:
        self._flag(line, told, "created", line["seq"] in self.created)
        self._flag(line, told, "id", line.get("namespace_id"))

    def _key_public(self, line: dict, namespace: Namespace, told: dict,
                    attempt: Optional[Attempt]) -> None:
        if attempt is None:
            return
        key, version = namespace.keys[attempt.told["purpose"]], line.get("key_version")
        is_new = not key.is_there
        if version != key.version + is_new:
            self.problem("deleted", line, f"the newest is version {key.version}, "
                                          f"{'deleted' if is_new else 'and there'}")
        self._flag(line, told, "created", is_new)
        self._flag(line, told, "version", version)
        if is_new:
            if namespace.state == "suspended":
                self.problem("suspended", line, "a key was made in a suspended namespace")
            key.version, key.is_there = version or 0, True

    def _pass_store(self, line: dict, namespace: Namespace, told: dict, _: object) -> None:
        key = namespace.keys["presentation"]
        if not key.is_there or line.get("key_version") != key.version:
            self.problem("deleted", line, "the pass is for a key that is not there")
        self._flag(line, told, "replaced", namespace.digest is not None)
        namespace.digest = line.get("detail_digest")
        self._flag(line, told, "digest", namespace.digest)
        namespace.ended = line["seq"]
        self.passes.setdefault(line["namespace"], []).append(line["seq"])

    def _pass_delete(self, line: dict, namespace: Namespace, told: dict, _: object) -> None:
        key = namespace.keys["presentation"]
        self._flag(line, told, "key", key.is_there)
        self._flag(line, told, "pass", namespace.digest is not None)
        if key.is_there or namespace.digest is not None:
            self._restrictive(line)
            namespace.ended = line["seq"]
            self.deletions.setdefault(line["namespace"], []).append(line["seq"])
            self.passes.setdefault(line["namespace"], []).append(line["seq"])
        key.is_there, namespace.digest = False, None

    def _namespace_suspend(self, line: dict, namespace: Namespace, told: dict, _: object) -> None:
        self._restrictive(line)
        self._turn(line, namespace, told, "suspended")

    def _namespace_resume(self, line: dict, namespace: Namespace, told: dict, _: object) -> None:
        self._turn(line, namespace, told, "active")

    def _turn(self, line: dict, namespace: Namespace, told: dict, state: str) -> None:
        self._flag(line, told, "changed", namespace.state != state)
        if namespace.state != state:
            namespace.state, namespace.ended = state, line["seq"]

    def _namespace_revoke(self, line: dict, namespace: Namespace, told: dict, _: object) -> None:
        self._restrictive(line)
        self._flag(line, told, "id", line.get("namespace_id"))
        namespace.state, namespace.digest, namespace.ended = "revoked", None, line["seq"]
        for key in namespace.keys.values():
            key.is_there = False
        self.revoked[line["namespace"]] = line["seq"]

    def _restrictive(self, line: dict) -> None:
        if line.get("restrictive") is not True:
            self.problem("restrictive", line, "the line is not marked, so a restore undoes it")

    def _prefix(self, line: dict, members: List[dict], attempt: Optional[Attempt]) -> None:
        prefix = line["namespace"]
        self._flag(line, attempt.told if attempt else {}, "count", line["count"])
        for member in members:
            at_or_below = (member["namespace"] + "/").startswith(prefix + "/")
            if not at_or_below or member["method"] != line["method"] or (
                    member["outcome"] != "ok") or member["pid"] != line["pid"]:
                self.problem("prefix", member, f"it is none of those of line {line['seq']}")
        for name, namespace in self.namespaces.items():
            if (name + "/").startswith(prefix + "/") and namespace.state != "revoked":
                self.problem("prefix", line, f"{name} was left out")
