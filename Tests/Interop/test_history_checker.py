"""The checker of histories against histories with one thing wrong: each must be noticed.

The story told here is short, and has every kind of call in it. A plant is an event that is put in
at one of its points, or a change of what was written down.
"""

import hashlib
import sys
import unittest
from pathlib import Path
from typing import Callable, Dict, Optional

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import crypto  # noqa: E402
from history_checker import check, detail_digest  # noqa: E402
from history_model import JUDGED, OUTPUT  # noqa: E402
from history_record import Attempt, Run  # noqa: E402
from vault_client import base64_text  # noqa: E402

ADMIN, WORKER, IDLE = 0, 40_011, 40_012
OFFICE = f"policy 1\nallow user:{ADMIN}\n  methods *\n  namespaces **\n"
LOOK = f"allow user:{WORKER}\n  methods namespace.get\n  namespaces h/**\n"
WORK = (f"allow user:{WORKER}\n  methods key.* pass.* presentation.* namespace.create\n"
        "  namespaces h/**\n")
PLANTS: list = []       # (rule, name, points, change)


class Story:
    """What the clients wrote down, and the log, of a vault that does everything right."""

    def __init__(self, points: Dict[str, Callable[["Story"], None]]):
        self.points = points
        self.attempts, self.runs, self.lines, self.endings = [], [], [], []
        self.clock, self.revision = 0, 1
        self.keys: Dict[tuple, object] = {}
        self.since = 0

    def tick(self) -> int:
        self.clock += 10
        return self.clock

    def point(self, name: str) -> None:
        if name in self.points:
            self.points[name](self)

    def line(self, method: str, **members: object) -> dict:
        line = {"seq": len(self.lines) + 1, "uid": ADMIN, "pid": 1, "method": method,
                "outcome": "ok", **members}
        self.lines.append({name: value for name, value in line.items() if value is not None})
        return self.lines[-1]

    def call(self, method: str, name: Optional[str], told: dict, code: Optional[str] = None,
             uid: int = WORKER, cut: bool = False, numbered: bool = True, lined: bool = True,
             **members: object) -> Attempt:
        """A call with its line; `code` refuses it, `cut` takes the answer away."""
        endpoint = "admin" if uid == ADMIN else "client"
        attempt = Attempt(100 + uid, uid, endpoint, method, name, self.since, self.tick(),
                          told=told)
        self.attempts.append(attempt)
        if lined:
            found = code or told.get("refusal")
            if found:
                members |= {"outcome": "refused", "code": found}
            members.setdefault("namespace_id", identifier(name) if name else None)
            members.setdefault("policy", self.revision)
            members.setdefault("detail_digest", detail_digest(attempt))
            line = self.line(method, uid=uid, pid=attempt.pid, endpoint=endpoint, namespace=name,
                             **members)
            if numbered and not cut and not code:
                attempt.seq = line["seq"]
        if cut:
            attempt.cut, attempt.ended = True, self.tick()
        else:
            attempt.answered, attempt.code = self.tick(), code
        return attempt

    # --- calls ----------------------------------------------------------------------------------

    def public(self, name: str, purpose: str, version: int, created: bool, **more) -> Attempt:
        key = self.keys.setdefault((name, purpose, version), crypto.new_key())
        return self.call("key.public", name, {
            "purpose": purpose, "version": version, "created": created,
            "point": base64_text(crypto.point_of(key))}, key_version=version, **more)

    def signed(self, method: str, name: str, purpose: str, version: int, **more) -> Attempt:
        message = b"message %d" % self.clock
        key = self.keys.setdefault((name, purpose, version), crypto.new_key())
        told = {"message": message.hex(), "version": version, "format": "raw",
                "signature": crypto.sign_raw(key, message).hex()}
        if more.get("code") or more.get("cut"):
            told = {"message": message.hex()}
        return self.call(method, name, told, key_version=version, **more)

    def sign(self, name: str = "h/1", version: int = 1, **more) -> Attempt:
        return self.signed("key.sign", name, "signing", version, **more)

    def present(self, name: str, session: str, version: int, steps: int = 2, **run) -> None:
        self.call("presentation.open", name, {"presentation": session}, key_version=version)
        for _ in range(steps):
            self.exchange(name, session, version)
        self.runs.append(Run(session, version, **{"end": "granted", **run}))

    def exchange(self, name: str, session: str, version: int, **more) -> Attempt:
        told = {"presentation": session, **more.pop("told", {})}
        return self.call("presentation.exchange", name, told, key_version=version, **more)

    def store(self, name: str, version: int, replaced: bool, **more) -> Attempt:
        digest = hashlib.sha256(f"{name} {self.clock}".encode()).hexdigest()
        return self.call("pass.store", name, {"digest": digest, "replaced": replaced},
                         key_version=version, detail_digest=digest, **more)

    def look(self, name: str, state: str, keys: dict, has_pass: bool, **more) -> Attempt:
        return self.call("namespace.get", name, {
            "state": state, "id": identifier(name), "keys": keys, "pass": has_pass},
            numbered=False, **more)

    def match(self, *names: str) -> Attempt:
        return self.call("presentation.match", None, {"matches": list(names)}, numbered=False)

    def turn(self, name: str, method: str, changed: bool = True) -> Attempt:
        return self.call(method, name, {"changed": changed, "id": identifier(name)}, uid=ADMIN,
                         restrictive=True if method == "namespace.suspend" else None)

    def govern(self, *rules: str) -> Attempt:
        text = OFFICE + LOOK + "".join(rules)
        attempt = self.call("policy.set", None, {"policy": text}, uid=ADMIN)
        self.revision += 1
        attempt.told["revision"] = self.revision
        return attempt

    def revoke(self, name: str) -> Attempt:
        return self.call("namespace.revoke", name, {"id": identifier(name)}, uid=ADMIN,
                         restrictive=True)

    def revoke_below(self, prefix: str, *names: str, count: Optional[int] = None) -> Attempt:
        for name in names:
            self.line("namespace.revoke", uid=ADMIN, pid=100 + ADMIN, endpoint="admin",
                      namespace=name, namespace_id=identifier(name), policy=self.revision,
                      restrictive=True)
        count = len(names) if count is None else count
        return self.call("namespace.revoke", prefix, {"prefix": prefix, "count": count}, uid=ADMIN,
                         namespace_id=None, count=len(names))

    def restart(self) -> None:
        start = self.clock - 30     # before the end of what was cut
        self.line("vault.recovered")
        self.line("vault.start")
        self.point("sealed")
        self.line("unseal")
        self.endings.append((start, self.tick()))
        self.since = self.tick()

    # --- the story ------------------------------------------------------------------------------

    def tell(self) -> "Story":
        self.line("vault.start")
        self.line("unseal")
        self.govern(WORK)
        self.public("h/1", "signing", 1, True)
        self.public("h/1", "presentation", 1, True)
        stored = self.store("h/1", 1, False)
        self.call("pass.info", "h/1", {"digest": stored.told["digest"]}, numbered=False)
        self.look("h/1", "active", {"presentation": 1, "signing": 1}, True)
        self.sign()
        self.present("h/1", "a", 1)
        self.exchange("h/1", "a", 1, told={"refusal": "protocol_error"})
        self.match("h/1")
        self.point("active")
        self.turn("h/1", "namespace.suspend")
        self.point("suspended")
        self.sign(code="key_unusable")
        self.turn("h/1", "namespace.resume")
        self.point("resumed")
        self.signed("presentation.sign", "h/1", "presentation", 1)
        self.present("h/1", "b", 1)
        self.call("pass.delete", "h/1", {"key": True, "pass": True}, key_version=1,
                  restrictive=True)
        self.point("deleted")
        self.call("pass.info", "h/1", {}, code="pass_missing")
        self.public("h/1", "presentation", 2, True)
        self.point("keyed")
        self.store("h/1", 2, False)
        self.present("h/1", "c", 2, known_since=len(self.lines))
        self.point("stored")
        self.govern()
        self.point("withdrawn")
        self.sign(code="forbidden", reason="right_withdrawn")
        self.govern(WORK)
        self.call("namespace.create", "h/2/1", {"created": True, "id": identifier("h/2/1")})
        self.public("h/2/2", "signing", 1, True)
        self.point("many")
        self.revoke_below("h/2", "h/2/1", "h/2/2")
        self.point("many revoked")
        self.sign("h/2/2", code="revoked")
        self.sign(cut=True)
        self.sign(cut=True, lined=False)
        self.restart()
        self.look("h/1", "active", {"presentation": 2, "signing": 1}, True)
        self.sign()
        self.present("h/1", "d", 2)
        self.point("before")
        self.revoke("h/1")
        self.point("revoked")
        self.sign(code="revoked")
        self.look("h/1", "revoked", {}, False)
        self.call("seal", None, {}, uid=ADMIN)
        return self

    def find(self, method: str, number: int = 0, **members: object) -> dict:
        found = [line for line in self.lines if line["method"] == method
                 and members.items() <= line.items()]
        return found[number]

    def attempt(self, method: str, number: int = 0) -> Attempt:
        return [attempt for attempt in self.attempts if attempt.method == method][number]


def identifier(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def planted(rule: str, name: str, point: Optional[str] = None):
    """Plants what a function does with the story at a point, or with the whole of it."""
    def register(act: Callable[[Story], None]):
        PLANTS.append((rule, name, {point: act} if point else {}, None if point else act))
        return act
    return register


def event(rule: str, name: str, point: str, act: Callable[[Story], object]) -> None:
    planted(rule, name, point)(act)


def edit(rule: str, name: str, act: Callable[[Story], object]) -> None:
    planted(rule, name)(act)


# --- a line in time -----------------------------------------------------------------------------

event("revoked", "a signature after the revocation", "revoked", lambda s: s.sign())
event("revoked", "a signature that nobody got", "revoked", lambda s: s.sign(
    cut=True) and s.endings.append((s.clock, s.clock)))
event("revoked", "a step of a session", "revoked", lambda s: s.exchange("h/1", "d", 2))
event("revoked", "a step that the protocol refuses", "revoked",
      lambda s: s.exchange("h/1", "d", 2, told={"refusal": "protocol_error"}))
event("revoked", "a session", "revoked", lambda s: s.present("h/1", "e", 2))
event("revoked", "a transcript", "revoked",
      lambda s: s.signed("presentation.sign", "h/1", "presentation", 2))
event("revoked", "a public key", "revoked", lambda s: s.public("h/1", "signing", 1, False))
event("revoked", "a pass", "revoked", lambda s: s.store("h/1", 2, True))
event("revoked", "the pass shown", "revoked", lambda s: s.call(
    "pass.info", "h/1", {"digest": ""}, numbered=False))
event("revoked", "the namespace again", "revoked", lambda s: s.call(
    "namespace.create", "h/1", {"created": True, "id": identifier("h/1")}))
event("revoked", "a resumption", "revoked", lambda s: s.turn("h/1", "namespace.resume"))
event("revoked", "one of many", "many revoked", lambda s: s.sign("h/2/2"))
event("revoked", "forgotten", "revoked", lambda s: s.sign(code="not_found"))
event("suspended", "a signature", "suspended", lambda s: s.sign())
event("suspended", "a session", "suspended", lambda s: s.present("h/1", "e", 1))
event("suspended", "a transcript", "suspended",
      lambda s: s.signed("presentation.sign", "h/1", "presentation", 1))
event("suspended", "a new key", "suspended", lambda s: s.call(
    "pass.delete", "h/1", {"key": True, "pass": True}, key_version=1, restrictive=True)
    and s.public("h/1", "presentation", 2, True))
event("session", "a session that outlives a suspension", "resumed",
      lambda s: s.exchange("h/1", "a", 1))
event("session", "a session that outlives its pass", "stored",
      lambda s: s.store("h/1", 2, True) and s.exchange("h/1", "c", 2))
event("session", "a session that outlives the daemon", "before",
      lambda s: s.exchange("h/1", "c", 2))
event("session", "a session that nobody opened", "active", lambda s: s.exchange("h/1", "z", 1))
event("session", "a session of another namespace", "many", lambda s: s.public(
    "h/2/1", "presentation", 1, True) and s.exchange("h/2/1", "c", 1))
event("policy", "a signature without the right", "withdrawn", lambda s: s.sign())
event("policy", "a step without the right", "withdrawn", lambda s: s.exchange("h/1", "c", 2))
event("policy", "a key without the right", "withdrawn",
      lambda s: s.public("h/1", "signing", 1, False))
event("policy", "a namespace without the right to make one", "withdrawn", lambda s: s.govern(
    WORK.replace(" namespace.create", "")) and s.public("h/3", "signing", 1, True))
event("policy", "somebody without any right", "active", lambda s: s.sign(uid=IDLE))
event("policy", "a look without the right", "active", lambda s: s.look(
    "h/1", "active", {"presentation": 1, "signing": 1}, True, uid=IDLE))
event("policy", "a denial of what is allowed", "active", lambda s: s.sign(code="forbidden"))
edit("policy", "the policy before", lambda s: s.find("key.sign", 1, outcome="ok").update(policy=1))
edit("policy", "a revision twice", lambda s: s.attempt("policy.set", 1).told.update(revision=2))
edit("start", "no recovery after an end out of order", lambda s: s.find(
    "vault.recovered").update(method="erasure.complete"))
edit("start", "a recovery after an end in order", lambda s: s.lines[
    s.find("vault.recovered")["seq"] - 2].update(method="vault.stop"))
event("damage", "something that is damaged", "before", lambda s: s.line("vault.damage"))
event("sealed", "a signature before the vault is opened", "sealed", lambda s: s.sign())


# --- what was deleted ---------------------------------------------------------------------------

event("deleted", "the key that is gone", "stored",
      lambda s: s.signed("presentation.sign", "h/1", "presentation", 1))
event("deleted", "a session by the key that is gone", "stored", lambda s: s.present("h/1", "e", 1))
event("deleted", "a key without a version", "deleted", lambda s: s.present("h/1", "e", 1))
event("deleted", "a session that knows of no key", "stored",
      lambda s: s.present("h/1", "e", None))
event("deleted", "the public key that is gone", "deleted",
      lambda s: s.public("h/1", "presentation", 1, False))
event("deleted", "a new key by the old version", "deleted",
      lambda s: s.public("h/1", "presentation", 1, True))
event("deleted", "a pass for the key that is gone", "deleted", lambda s: s.store("h/1", 1, False))
event("deleted", "another key by the same version", "active", lambda s: s.keys.pop(
    ("h/1", "signing", 1)) and s.public("h/1", "signing", 1, False))
event("deleted", "a transcript without a pass", "many", lambda s: s.public(
    "h/2/2", "presentation", 1, True) and s.signed(
        "presentation.sign", "h/2/2", "presentation", 1))
edit("deleted", "a persistent key of an earlier pass", lambda s: setattr(
    s.runs[2], "known_since", s.attempt("presentation.exchange", 1).seq))
edit("deleted", "one key of two namespaces", lambda s: s.attempt("key.public", 3).told.update(
    point=s.attempt("key.public", 0).told["point"]))
event("read", "the pass that is gone", "deleted", lambda s: s.call(
    "pass.info", "h/1", {"digest": s.attempt("pass.store").told["digest"]}, numbered=False))
event("read", "the key that is gone", "deleted", lambda s: s.look(
    "h/1", "active", {"presentation": 1, "signing": 1}, False))
event("read", "a pass that is missing", "active", lambda s: s.call(
    "pass.info", "h/1", {}, code="pass_missing"))
event("read", "a namespace that is missing", "active", lambda s: s.call(
    "namespace.get", "h/1", {}, code="not_found"))
event("read", "active after its revocation", "revoked", lambda s: s.look(
    "h/1", "active", {"presentation": 2, "signing": 1}, True))
event("read", "found after its revocation", "revoked", lambda s: s.match("h/1"))
event("read", "found without a pass", "deleted", lambda s: s.match("h/1"))
event("read", "found while it is suspended", "suspended", lambda s: s.match("h/1"))
event("policy", "found without the right", "withdrawn", lambda s: s.match("h/1"))
event("read", "active while it is suspended", "suspended", lambda s: s.look(
    "h/1", "active", {"presentation": 1, "signing": 1}, True))


# --- answers and lines --------------------------------------------------------------------------

def swap(story: Story) -> None:
    """Two answers have each other's numbers, and lines."""
    one, two = story.attempt("key.sign", 0), story.attempt("presentation.open", 0)
    first, second = story.lines[one.seq - 1], story.lines[two.seq - 1]
    first["seq"], second["seq"] = second["seq"], first["seq"]
    one.seq, two.seq = two.seq, one.seq
    story.lines.sort(key=lambda line: line["seq"])


edit("time", "a number below one that was known", swap)
edit("numbers", "a line that is missing", lambda s: s.lines.remove(
    s.find("key.sign", code="revoked")))
edit("numbers", "a line that is there twice", lambda s: s.lines.append(dict(s.lines[-1])))
edit("answered", "an answer without a line", lambda s: setattr(
    s.attempt("key.sign"), "seq", len(s.lines) + 5))
edit("answered", "an answer with another's number", lambda s: setattr(
    s.attempt("key.sign"), "seq", s.attempt("presentation.open").seq))
edit("answered", "a read without a line", lambda s: s.find("pass.info").update(namespace="h/9"))
for _member, _value in (("outcome", "refused"), ("method", "key.list"), ("namespace", "h/2/2"),
                        ("uid", IDLE), ("pid", 7), ("endpoint", "admin"), ("key_version", 2),
                        ("detail_digest", "0" * 64)):
    edit("answered", f"a line with another {_member}", lambda s, member=_member, value=_value:
         s.find("key.sign").update({member: value}))
edit("answered", "a line that says it was refused otherwise", lambda s: s.find(
    "presentation.exchange", code="protocol_error").update(code="expired"))
event("unanswered", "a call that nobody made", "active", lambda s: s.line(
    "key.sign", uid=WORKER, pid=100 + WORKER, endpoint="client", namespace="h/1", key_version=1,
    policy=s.revision))
event("unanswered", "a call with two lines", "many revoked", lambda s: s.lines.append({
    **s.find("key.sign"), "seq": len(s.lines) + 1}))
event("unanswered", "a revocation that nobody asked for", "active", lambda s: s.line(
    "namespace.revoke", uid=ADMIN, pid=100 + ADMIN, endpoint="admin", namespace="h/1",
    restrictive=True, policy=s.revision))
event("refusals", "a refusal that nobody got", "active", lambda s: s.line(
    "key.list", uid=WORKER, pid=100 + WORKER, endpoint="client", namespace="h/1",
    outcome="refused", code="revoked"))
event("refusals", "more refusals than there were", "active", lambda s: s.line(
    "calls.refused", uid=IDLE, pid=0, outcome="refused", count=3, forbidden=3))
event("refusals", "sealed, and it was not", "active", lambda s: s.sign(code="sealed"))
event("refusals", "turned away, and it was not sealed", "active", lambda s: s.sign(
    code="connection forbidden", lined=False))
event("refusals", "revoked, and nothing was", "active", lambda s: s.sign(code="revoked"))
event("silence", "no answer while the daemon lives", "active", lambda s: s.sign(cut=True))
edit("silence", "no answer on a connection that lives",
     lambda s: setattr(next(one for one in s.attempts if one.cut), "cut", False))


# --- effects ------------------------------------------------------------------------------------

edit("effect", "created, and it was there", lambda s: s.attempt("key.public").told.update(
    created=False))
edit("effect", "a namespace made that was not", lambda s: s.attempt("namespace.create").told.update(
    created=False))
edit("effect", "another identifier", lambda s: s.attempt("namespace.create").told.update(id="0"))
edit("effect", "unchanged, and it was", lambda s: s.attempt("namespace.suspend").told.update(
    changed=False))
edit("effect", "not deleted, and it was", lambda s: s.attempt("pass.delete").told.update(key=False))
edit("effect", "a pass left", lambda s: s.attempt("pass.delete").told.update({"pass": False}))
edit("effect", "replaced, and there was none", lambda s: s.attempt("pass.store").told.update(
    replaced=True))
edit("effect", "another pass", lambda s: s.attempt("pass.store").told.update(digest="0" * 64))
edit("effect", "another count", lambda s: s.attempt("namespace.revoke").told.update(count=1))
event("prefix", "a namespace left out", "many", lambda s: s.call(
    "namespace.create", "h/2/3", {"created": True, "id": identifier("h/2/3")}))
event("prefix", "the name itself left out", "many", lambda s: s.call(
    "namespace.create", "h/2", {"created": True, "id": identifier("h/2")}))
event("prefix", "a namespace elsewhere", "many", lambda s: s.revoke_below("h/1/9", "h/1"))
for _number in range(2):
    edit("restrictive", f"revocation {_number} without its mark", lambda s, number=_number: s.find(
        "namespace.revoke", number, restrictive=True).pop("restrictive"))
edit("restrictive", "a suspension without its mark", lambda s: s.find(
    "namespace.suspend").pop("restrictive"))
edit("restrictive", "a deletion without its mark", lambda s: s.find(
    "pass.delete").pop("restrictive"))
edit("identifier", "another namespace by this name", lambda s: s.find(
    "key.sign").update(namespace_id="0" * 32))
edit("identifier", "one identifier of two names", lambda s: [line.update(
    namespace_id=identifier("h/1")) for line in s.lines if line.get("namespace") == "h/2/2"])
event("unknown", "a namespace that never was", "active", lambda s: s.store("h/7", 1, False))


# --- output -------------------------------------------------------------------------------------

def spoil(story: Story) -> None:
    told = story.attempt("key.sign").told
    told["signature"] = told["signature"][:-2] + f"{int(told['signature'][-2:], 16) ^ 1:02x}"


edit("signature", "an octet changed", spoil)
edit("signature", "of another message", lambda s: s.attempt("key.sign").told.update(
    signature=s.attempt("presentation.sign").told["signature"]))
edit("signature", "by a key that nobody knows", lambda s: [
    s.attempts.remove(one) for one in list(s.attempts)
    if one.method == "key.public" and one.namespace == "h/1"])
edit("reader", "a reader that does not accept it", lambda s: setattr(s.runs[0], "end", "reader"))
edit("reader", "a reader that accepts another's", lambda s: setattr(s.runs[0], "version", 2))


class Plants(unittest.TestCase):
    def problems(self, points: dict, change: Optional[Callable] = None) -> list:
        story = Story(points).tell()
        if change:
            change(story)
        return check(story.attempts, story.runs, story.lines, story.endings)

    def test_a_history_without_fault_has_no_problem(self):
        self.assertEqual(self.problems({}), [])

    def test_each_plant_is_noticed(self):
        for rule, name, points, change in PLANTS:
            with self.subTest(f"{rule}: {name}"):
                found = self.problems(points, change)
                self.assertIn(rule, {problem.rule for problem in found}, found)

    def test_every_output_after_a_revocation_is_planted(self):
        """A method whose answers carry output needs a plant of its own."""
        told = {"presentation": "d", "message": "", "version": 2, "format": "raw", "signature": ""}
        for method in OUTPUT:
            found = self.problems({"revoked": lambda s, method=method: s.call(
                method, "h/1", dict(told), key_version=2)})
            self.assertIn("revoked", {problem.rule for problem in found}, method)
        self.assertLess(OUTPUT, JUDGED)

    def test_a_session_with_nothing_to_show_is_no_problem(self):
        """It was opened while a key was made, and there was no pass to present."""
        self.assertEqual(self.problems({"keyed": lambda s: s.call(
            "presentation.open", "h/1", {"presentation": "e"})}), [])

    def test_what_may_be_under_way_is_no_problem(self):
        """Reads that overlap a change may show either side of it."""
        story = Story({}).tell()
        suspended = story.attempt("namespace.suspend")
        looked = Attempt(9, WORKER, "client", "namespace.get", "h/1", 0, suspended.sent - 1,
                         suspended.answered + 1, told={
                             "id": identifier("h/1"), "pass": True, "state": "suspended",
                             "keys": {"presentation": 1, "signing": 1}})
        for state in ("active", "suspended"):
            looked.told["state"] = state
            self.assertEqual(check([*story.attempts, looked], story.runs, story.lines,
                                   story.endings), [])
        looked.told["state"] = "revoked"
        self.assertEqual([problem.rule for problem in check(
            [*story.attempts, looked], story.runs, story.lines, story.endings)], ["read"])


if __name__ == "__main__":
    unittest.main()
