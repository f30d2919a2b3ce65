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
import base64
import json
import os
import sqlite3
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import crypto  # noqa: E402
from bench import ELEMENTS, take_socket_arguments  # noqa: E402
from canary import answered, forms  # noqa: E402
from canary_callers import Caller, Told, Watched  # noqa: E402
from canary_lines import RAW  # noqa: E402
from canary_subjects import LIMITED, SUCCESS, Prefixed, Subjects  # noqa: E402
from door import Door, mailbox_settings, usual_validity  # noqa: E402
from faults_sign import ADDRESS, SignCall, advertise  # noqa: E402
from presenting import Silence, open_parameters, present  # noqa: E402
from vault_client import base64_text, octets_of  # noqa: E402

STRANGER, OUTSIDER = 61_001, 61_003


class World(Subjects):
    """The calls with canaries, and what others see meanwhile."""

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
        self.lock_runs(watched, {"namespace": namespace, "mac": "cb:bc:87:3b:cb:d7"})
        state = {"namespace": namespace}
        watched.call("biqli.open", self.without_state(state))
        watched.call("biqli.complete", {**self.pending(state), "result": answered(
            "exact_handoff", self.canaries.text("good match", "result"),
            self.canaries.text("good receipt", "receipt"))})
        watched.call("biqli.cached", state)
        self.renewal(watched, {"namespace": namespace, "environment": "production"})
        comment = self.canaries.text("good policy", "policy")
        self.policy += f"# {comment}\n"
        watched.call("policy.set", {"policy": self.policy})
        watched.call("policy.get")

    def lock_runs(self, watched: Watched, lock: dict) -> None:
        """Two pairs of a lock, both of which open it, and the second takes the first one's place."""
        know = self.canaries.known
        for number, state in enumerate(("active", "pending")):
            key = know(f"good offline key {number}", crypto.random_octets(16))
            command = know(f"good unlock command {number}", crypto.random_octets(20))
            watched.call("noke.store", {
                **lock, "offline_key": key.hex().upper(), "unlock_command": command.hex(),
                "environment": "production"})
            for embed_time in (False, True):
                session = crypto.random_octets(20)
                # Whoever has it and the session has the key.
                know(f"good combined key {number} {embed_time}",
                     bytes((a + b) % 256 for a, b in zip(key, session)))
                know(f"good body {number} {embed_time}", command[4:])
                asked = {**lock, "session": session.hex(), "generation": state}
                watched.call("noke.unlock", {
                    **asked, "embed_time": embed_time,
                    "request_id": self.canaries.text(f"good request {number} {embed_time}")})
                if embed_time:
                    del asked["generation"]
                    watched.call("noke.report", {**asked, "response": SUCCESS})
        for method in ("info", "demote", "promote", "info"):
            watched.call(f"noke.{method}", lock)

    def renewal(self, watched: Watched, tenant: dict) -> None:
        """A renewal whose every secret is a canary, and what is had of it."""
        secret = self.canaries.text
        watched.call("flinkey.store", {**tenant, "credentials": {
            "api_key": secret("good API key", "portal"),
            "user_name": self.canaries.foreign("good user", "portal"),
            "password": secret("good password", "portal") + "&=+%",
            "sdk_key": self.canaries.foreign("good SDK key", "portal"),
            "customer_id": self.canaries.number("good customer", "portal")}})
        user = {**tenant, "user": self.canaries.number("good user ID", "user")}
        payload = base64.urlsafe_b64encode(
            json.dumps({"exp": int(time.time()) + 3600}).encode()).decode().rstrip("=")
        brought = {
            "api_token": {"token": secret("good API token", "token"), "expires_in": "3600"},
            "id_token": {"token": f"e30.{payload}.{secret('good IdToken', 'token')}"},
            "tapkey_token": {"token": secret("good Tapkey token", "token"), "expires_in": 3600,
                             "tapkey_user": secret("good Tapkey user", "token")}}
        for step, outcome in brought.items():
            work = watched.call("flinkey.renew.begin", user)
            if work["step"] != step:
                raise SystemExit(f"canary_calls: {work['step']} came instead of {step}")
            watched.call("flinkey.renew.complete", {**user, "lease": work["lease"], **outcome})
        if "token" not in watched.call("flinkey.token", user):
            raise SystemExit("canary_calls: there is no token after its renewal")
        for method in ("flinkey.block", "flinkey.unblock", "flinkey.forget"):
            watched.call(method, user)
        box = {"namespace": tenant["namespace"], "physical_lock_id": "BADBCPCU"}
        watched.call("flinkey.box_id", {**box, "command": {"action": "status"}})

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
