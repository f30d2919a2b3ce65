#!/usr/bin/env python3
"""Puts a canary into every field of every request of the schema, whether the call succeeds or fails.

Takes an unsealed vault with a key-file slot, whose administrator is root and whose client socket the
users 61001 and 61002 may connect to; needs root, to be these users. With `--full DIR` it fills the file
system of DIR, which has the data directory `data`, for a while. Leaves the vault unsealed, and writes to
`--told FILE` a JSON object: `canaries`, as `{"name", "kind", "octets"}`; `own` and `other`, by method, the
answers to the calls with canaries and those that others have got meanwhile; `codes`, how often each answer
came, and `successes`, by method; `full`, by method, how often each answer came on the full disk, and
`effects`, the methods that need the disk; `fields` and `methods`, where canaries were put.
`canary_scan.py` takes it.
"""

import argparse
import json
import os
import socket
import sqlite3
import sys
import time
from collections import Counter, defaultdict
from datetime import timedelta
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import crypto  # noqa: E402
from bench import ELEMENTS, Bench, take_socket_arguments  # noqa: E402
from canary import Canaries, Form, Place, Schema, forms, put  # noqa: E402
from door import Door, mailbox_settings, usual_validity  # noqa: E402
from faults_sign import ADDRESS, SignCall, advertise  # noqa: E402
from mixed_calls import key_file_secret  # noqa: E402
from presenting import Silence, open_parameters, present  # noqa: E402
from vault_client import VaultClient, VaultError, WireError, base64_text, octets_of  # noqa: E402

STRANGER, LIMITED, OUTSIDER = 61_001, 61_002, 61_003
POLICY = """
allow user:{limited}
  methods key.sign status
  namespaces limited/*
  rate 1 burst 2
"""
# Of two parameters, one is given.
ALTERNATIVES = [{"passphrase", "key"}, {"message", "digest"}, {"namespace", "prefix"},
                {"call", "seq"}]
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


class World:
    """What calls with canaries are about: namespaces in every state, and parameters that work."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.told, self.canaries, self.schema = Told(), Canaries(), Schema()
        self.fields: set = set()
        self.full_codes: Dict[str, Counter] = {}
        self.admin = Caller(self.told, arguments.admin_socket)
        self.client = Caller(self.told, arguments.client_socket)
        self.observer = Caller(self.told, arguments.admin_socket, "other")
        self.bench = Bench()
        self.key = base64_text(key_file_secret(arguments.key_file))
        call = self.admin.call
        call("key.public", {"namespace": self.bench.namespace, "purpose": "signing"})
        for state in ("revoked", "suspended"):
            for purpose in ("presentation", "signing"):
                call("key.public", {"namespace": f"state/{state}", "purpose": purpose})
        call("namespace.revoke", {"namespace": "state/revoked"})
        call("namespace.suspend", {"namespace": "state/suspended"})
        call("key.public", {"namespace": "limited/door", "purpose": "signing"})
        self.passes()
        # The readers of the bench expect the time of its first pass.
        self.pass_of_bench = self.bench.door.unlock_pass(
            self.bench.credential, self.bench.signed, usual_validity()[1], elements=ELEMENTS,
            revocation=True, mailbox=mailbox_settings(), resolving=True, names_issuer=True)
        self.policy = call("policy.get")["policy"] + POLICY.format(limited=LIMITED)
        call("policy.set", {"policy": self.policy})

    def passes(self) -> None:
        """Namespaces with keys whose pass is missing, over, or not yet valid."""
        start, end = usual_validity()
        week = timedelta(days=7)
        for state, validity in (("bare", None), ("expired", (start - 2 * week, end - 2 * week)),
                                ("early", (start + 2 * week, end + 2 * week))):
            name = f"state/{state}"
            self.admin.call("key.public", {"namespace": name, "purpose": "signing"})
            point = self.admin.call("key.public", {"namespace": name})["point"]
            if validity is None:
                continue
            # Whether it is taken or not: its resolving key is a secret.
            door = Door()
            self.canaries.known(f"{name}: resolving key", door.resolving_key)
            self.admin.ask("pass.store", {"namespace": name, "pass": door.unlock_pass(
                octets_of(point), *validity, resolving=True)})

    def parameters(self, method: str, caller: Optional[Caller]) -> dict:
        """Parameters that do something, made anew where they serve once; a caller may be given whose
        connection has a presentation then."""
        bench, space = self.bench, {"namespace": self.bench.namespace}
        presentation = {"presentation": "0" * 32}
        if caller and method in ("presentation.exchange", "presentation.request"):
            presentation = {"presentation": self.opened(caller)}
        made: Dict[str, Callable[[], dict]] = {
            "unseal": lambda: {"key": base64_text(crypto.random_octets(32))},
            "slot.add": lambda: {"label": "one", "key": base64_text(crypto.random_octets(32))},
            "slot.remove": lambda: {"slot": 999},
            "policy.set": lambda: {"policy": self.policy, "dry_run": True},
            "audit.archive": lambda: {"through": 1, "head": "0" * 64},
            "policy.explain": lambda: {"call": {"method": "key.sign", "user": "root"}},
            "namespace.create": lambda: {"namespace": "canary/made"},
            "namespace.configure": lambda: {**space, "user_confirmation": False},
            "namespace.resume": lambda: space,
            "namespace.suspend": lambda: {"namespace": "state/suspended"},
            "namespace.revoke": lambda: {"namespace": "state/revoked"},
            "pass.delete": lambda: {"namespace": "limited/door"},
            "key.sign": lambda: {**space, "message": "", "format": "raw"},
            "pass.store": lambda: {**space, "pass": self.pass_of_bench},
            "presentation.match": lambda: {
                "advertisement": base64_text(advertise(bench.door)),
                "address": base64_text(ADDRESS)},
            "presentation.open": lambda: open_parameters(bench.namespace, "ble"),
            "presentation.exchange": lambda: {
                **presentation, "message": base64_text(crypto.random_octets(40))},
            "presentation.request": lambda: {**presentation, "request": "ranging", "ranging": {
                "message": "m2", "payload": base64_text(crypto.random_octets(40))}},
            "presentation.close": lambda: presentation,
            "presentation.sign": lambda: SignCall(bench).parameters(),
        }
        if method in made:
            return made[method]()
        asked = {place.path[0] for place in self.schema.methods[method]}
        return dict(space) if "namespace" in asked else {}

    def opened(self, caller: Caller) -> str:
        """A presentation of the caller's; a connection may have some open only."""
        if caller.presentation:
            caller.ask("presentation.close", {"presentation": caller.presentation})
        caller.presentation = caller.call(
            "presentation.open", open_parameters(self.bench.namespace, "ble"))["presentation"]
        return caller.presentation

    # --- calls with one canary each ---------------------------------------------------------

    def corpus(self, caller: Optional[Caller], where: str,
               only_fitting: bool = False) -> Iterator[Tuple[str, dict]]:
        """Every form of a canary in every field of every method, and beside them."""
        for method, places in self.schema.methods.items():
            for place in places:
                for form in forms(Prefixed(self.canaries, where), method, place):
                    if only_fitting and not (form.fits or form.name in ("text", "foreign")):
                        continue
                    self.fields.add(f"{method} {place.name}")
                    yield method, self.placed(method, place, form, caller)
            if method != "seal":
                name = self.canaries.text(f"{where}{method}: unknown name", "echo")
                value = self.canaries.text(f"{where}{method}: unknown value")
                yield method, {**self.parameters(method, caller), name: value}
            yield method, [self.canaries.text(f"{where}{method}: listed")]

    def placed(self, method: str, place: Place, form: Form, caller: Optional[Caller]) -> dict:
        parameters = put(self.parameters(method, caller), place.path, form.value)
        for pair in ALTERNATIVES:
            if place.path[0] in pair and pair <= {p.path[0] for p in self.schema.methods[method]}:
                for other in pair - {place.path[0]}:
                    parameters.pop(other, None)
        return parameters

    def run(self, caller: Caller, where: str, only_fitting: bool = False,
            opens: bool = False) -> None:
        for method, parameters in self.corpus(caller if opens else None, where, only_fitting):
            caller.ask(method, parameters)

    def in_state(self, namespace: str) -> None:
        """Calls for a namespace that is not as it should be."""
        for method, places in self.schema.methods.items():
            if not any(place.path == ("namespace",) for place in places):
                continue
            for place in places:
                for form in forms(Prefixed(self.canaries, f"{namespace}: "), method, place):
                    if form.fits and place.path != ("namespace",):
                        parameters = self.placed(method, place, form, None)
                        self.admin.ask(method, {**parameters, "namespace": namespace})

    def crowded(self) -> None:
        """Calls on a connection that has all the presentations it may have."""
        crowd = Caller(self.told, self.arguments.client_socket)
        opening = open_parameters(self.bench.namespace, "nfc")
        while "result" in crowd.ask("presentation.open", opening):
            pass
        for place in self.schema.methods["presentation.open"]:
            for form in forms(Prefixed(self.canaries, "crowded: "), "presentation.open", place):
                crowd.ask("presentation.open", self.placed("presentation.open", place, form, None))
        crowd.close()

    # --- lines that are no calls ------------------------------------------------------------

    def lines(self, caller: Caller, where: str) -> None:
        for number, (kind, make) in enumerate(RAW):
            text = self.canaries.text(f"{where}line {number}", kind)
            caller.send("line", make(text.encode()))
        number = self.canaries.number(f"{where}number as id", "echo")
        caller.send("line", b'{"jsonrpc":"2.0","id":%d,"method":"health"}' % number)
        for name, beginning in (("long", b"x" * 600_000), ("cut", b"")):
            text = self.canaries.text(f"{where}line {name}").encode()
            line = b'{"jsonrpc":"2.0","id":1,"method":"key.sign","params":{"message":"' + text
            caller.send("line", line + beginning, is_last=name == "cut")
            caller.close()

    def as_user(self, uid: int, where: str) -> None:
        """The same by another user, in a process of its own: the kernel must say so."""
        calls = list(self.corpus(None, where, only_fitting=True))
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.setgroups([])
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
                told = Told()
                caller = Caller(told, self.arguments.client_socket)
                for method, parameters in calls:
                    caller.ask(method, parameters)
                with os.fdopen(writing, "w") as file:
                    json.dump([told.answers["own"], told.codes, told.successes], file)
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading) as file:
            text = file.read()
        if os.waitpid(child, 0)[1]:
            raise SystemExit(f"canary_calls: user {uid} failed")
        answers, codes, successes = json.loads(text)
        for method, lines in answers.items():
            self.told.answers["own"][method] += lines
        self.told.codes.update(codes)
        self.told.successes.update(successes)
        if uid == OUTSIDER and set(codes) != {"forbidden"}:
            raise SystemExit(f"canary_calls: an outsider was let in: {codes}")

    # --- what works -------------------------------------------------------------------------

    def good_runs(self) -> None:
        """Whole transactions whose every secret is a canary."""
        bench, know = self.bench, self.canaries.known
        door = Door()
        know("good resolving key", door.resolving_key)
        know("good group", door.group_identifier, "group")
        watched = Watched(self.admin, self.canaries)
        namespace = "good/door"
        credential = octets_of(watched.call("key.public", {"namespace": namespace})["point"])
        good = door.unlock_pass(credential, *usual_validity(), elements=ELEMENTS, revocation=True,
                                mailbox=mailbox_settings(), resolving=True, names_issuer=True)
        for part in ("access_document", "revocation_document"):
            know(f"good {part}", octets_of(good[part]))
        watched.call("pass.store", {"namespace": namespace, "pass": good})
        watched.call("pass.info", {"namespace": namespace})
        watched.call("presentation.match", {
            "advertisement": base64_text(advertise(door)), "address": base64_text(ADDRESS)})
        client = Watched(self.client, self.canaries)
        known = None
        for transport in ("ble", "nfc"):
            for fast in (False, True):
                reader = bench.reader(transport=transport, fast=fast, known_persistent_key=known)
                present(client, bench.namespace, "unsecure", reader, Silence())
                known = reader.persistent_key
            know(f"good {transport} persistent key", known)
            known = None
        for number in range(4):
            sign = SignCall(bench)
            parameters = sign.parameters()
            for name, text in parameters.items():
                # Anything else is the door's, and the same in other calls.
                if name in ("device_ephemeral_key", "reader_ephemeral_key", "reader_signature"):
                    know(f"good sign {number} {name}", octets_of(text))
            client.call("presentation.sign", parameters)
        comment = self.canaries.text("good policy", "policy")
        self.policy += f"# {comment}\n"
        watched.call("policy.set", {"policy": self.policy})
        watched.call("policy.get")

    def sealed(self) -> None:
        """Sealed, with every attempt to unseal, and unsealed by a passphrase that is a canary."""
        passphrase = self.canaries.text("passphrase") + self.canaries.foreign("more passphrase")
        self.admin.call("slot.add", {
            "label": self.canaries.text("label", "label"), "passphrase": passphrase})
        self.observe()
        self.admin.call("seal")
        for caller, where in ((self.admin, "sealed, admin: "), (self.client, "sealed, client: ")):
            self.run(caller, where, only_fitting=True)
            self.lines(caller, where)
        self.observe()
        deadline = time.monotonic() + 300
        while True:
            answer = self.admin.ask("unseal", {"passphrase": passphrase})
            if "result" in answer:
                break
            if answer["error"]["data"]["code"] not in ("rate_limited", "busy"):
                raise SystemExit(f"canary_calls: the passphrase does not unseal: {answer}")
            if time.monotonic() > deadline:
                raise SystemExit("canary_calls: unsealing had to wait for too long")
            time.sleep(0.5)

    def full(self, directory: str) -> None:
        """Calls on a full disk, which stays full whatever the vault does to have room."""
        filler = Path(directory) / "filler"
        # Whoever reads the database as it is now keeps its log from being begun anew or cut short:
        # each commit needs more room than there is.
        self.admin.call("namespace.create", {"namespace": "full/before"})
        reader = sqlite3.connect(
            f"file:{directory}/data/vault.db?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM namespace").fetchone()
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        try:
            # The log's file may have been longer once, and have room at its end; a signature, which
            # has nothing but a line, needs the least.
            refused = 0
            for _ in range(4_000):
                answer = self.admin.ask("key.sign", self.parameters("key.sign", None))
                refused = refused + 1 if "error" in answer else 0
                if refused == 8:
                    break
            else:
                raise SystemExit("canary_calls: the disk is not full")
            self.told.full = defaultdict(Counter)
            # With canaries, which some methods refuse in every place, and with none.
            self.run(self.admin, "full: ", only_fitting=True)
            for method in sorted(self.schema.effects - {"seal"}):
                self.admin.ask(method, self.parameters(method, None))
            self.full_codes, self.told.full = self.told.full, None
            self.lines(self.client, "full: ")
            self.observe()
        finally:
            filler.unlink()
            reader.close()

    def observe(self) -> None:
        """What others see meanwhile: the most that anybody may."""
        seen = self.observer.ask
        for method in ("hello", "health", "status", "vault.metrics", "slot.list", "policy.get",
                       "namespace.list", "audit.tail", "audit.export", "audit.checkpoint"):
            if method in self.schema.methods:
                seen(method, {})
        for name in (self.bench.namespace, "state/revoked", "state/suspended", "good/door"):
            for method in ("namespace.get", "key.list", "pass.info"):
                seen(method, {"namespace": name})
        last = seen("status", {}).get("result", {}).get("audit", {}).get("seq", 1)
        seen("policy.explain", {"seq": last})
        seen("presentation.match", {
            "advertisement": base64_text(advertise(self.bench.door)),
            "address": base64_text(ADDRESS)})

    def deny_once(self) -> None:
        """A denied call that is the first of its second, and so has a line with its reason."""
        time.sleep(2)
        self.client.ask("seal")

    def tell(self, path: str) -> None:
        Path(path).write_text(json.dumps({
            "canaries": [{"name": canary.name, "kind": canary.kind, "octets": canary.octets.hex()}
                         for canary in self.canaries.all],
            "own": self.told.answers["own"], "other": self.told.answers["other"],
            "codes": self.told.codes, "successes": self.told.successes, "full": self.full_codes,
            "effects": sorted(self.schema.effects), "fields": sorted(self.fields),
            "methods": sorted(self.schema.methods)}))


class Prefixed:
    """Canaries whose names begin with where the call was made."""

    def __init__(self, canaries: Canaries, where: str):
        self._canaries, self._where = canaries, where

    def octets(self, name: str, *more) -> bytes:
        return self._canaries.octets(self._where + name, *more)

    def text(self, name: str, *more) -> str:
        return self._canaries.text(self._where + name, *more)

    def foreign(self, name: str, *more) -> str:
        return self._canaries.foreign(self._where + name, *more)

    def number(self, name: str, *more) -> int:
        return self._canaries.number(self._where + name, *more)


def request(members: bytes) -> bytes:
    return b'{"jsonrpc":"2.0",' + members + b"}"


# Lines with a canary that are no calls, or almost; and whether the answer may repeat it.
RAW: List[Tuple[str, Callable[[bytes], bytes]]] = [
    ("secret", lambda text: text),
    ("secret", lambda text: b'"' + text + b'"'),
    ("secret", lambda text: b'{"' + text),
    ("secret", lambda text: b'["' + text + b'"]'),
    ("secret", lambda text: b"[" * 40 + b'"' + text + b'"' + b"]" * 40),
    ("echo", lambda text: request(b'"id":1,"method":"' + text + b'"')),
    ("echo", lambda text: request(b'"id":1,"method":"seal' + text + b'"')),
    ("secret", lambda text: b'{"jsonrpc":"' + text + b'","id":1,"method":"health"}'),
    ("secret", lambda text: request(b'"id":{"' + text + b'":1},"method":"health"')),
    ("secret", lambda text: request(b'"id":1,"method":{"' + text + b'":1}')),
    ("secret", lambda text: request(b'"id":1,"method":"health","params":"' + text + b'"')),
    ("echo", lambda text: request(b'"id":"' + text + b'","method":"health"')),
    ("echo", lambda text: request(b'"id":"' + text + b'","method":"no"')),
    ("echo", lambda text: request(b'"id":1,"method":"health","' + text + b'":1')),
    ("secret", lambda text: request(b'"id":1,"method":"health","x":"' + text + b'"')),
    ("secret", lambda text: request(b'"id":1,"method":"key.sign","params":{"message":"' + text)),
    ("secret", lambda text: request(b'"id":1,"id":2,"method":"health","x":"' + text + b'"')),
    ("secret", lambda text: request(b'"id":1,"method":"health"') + b' "' + text + b'"'),
    ("secret", lambda text: b'{"a":"\xff' + text + b'"}'),
    ("secret", lambda text: b'{"a":"\\ud800' + text + b'"}'),
    ("secret", lambda text: b'{"a":"\\x' + text + b'"}'),
    ("secret", lambda text: b"\x00" + text + b"\x01"),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("client-socket", "admin-socket", "key-file", "told"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--full")
    arguments = parser.parse_args()
    take_socket_arguments()
    world = World(arguments)
    world.run(world.admin, "admin: ", opens=True)
    world.lines(world.admin, "admin: ")
    world.observe()
    world.run(world.client, "client: ", opens=True)
    world.lines(world.client, "client: ")
    for state in ("revoked", "suspended", "missing", "bare", "expired", "early"):
        world.in_state(f"state/{state}")
    world.crowded()
    for uid, where in ((STRANGER, "stranger: "), (LIMITED, "limited: "), (OUTSIDER, "outsider: ")):
        world.as_user(uid, where)
    world.observe()
    world.good_runs()
    world.observe()
    if arguments.full:
        world.full(arguments.full)
    world.sealed()
    world.observe()
    world.deny_once()
    world.tell(arguments.told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
