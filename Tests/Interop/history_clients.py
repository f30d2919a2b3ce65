"""The clients of a revocation history: each a process that goes on until it is told to stop.

What they do is chosen at random, from a seed. Their names lie close together in time, so that
signatures, presentations, deletions and revocations of one namespace meet.
"""

import os
import random
import sys
import time
import traceback
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from typing import Dict, Optional

from aliro_reader import Reader, ReaderError, crypto, exchange
from door import Door, mailbox_settings
from faults_sign import ADDRESS, SignCall, advertise
from history_record import Journal, RecordedClient, Run
from presenting import Failed, Gateway, Silence
from vault_client import VaultError, WireError, base64_text, octets_of

WIDTH = 3           # names of a block
SIGNATURES = 24     # under way at once
UNHEARD_OF = ("internal", "damaged", "audit_unavailable", "storage_full", "clock_uncertain")
MAILBOX = mailbox_settings()


@dataclass
class Shared:
    """What all processes know: sockets, when to connect and to stop, and which names are in use."""

    sockets: Dict[str, str]
    gate: Event
    stop: Event
    newest: object      # the number of the newest block
    door: Door
    validity: tuple

    def name(self, block: int, number: int) -> str:
        return f"h/{block}/{number}" if number else f"h/{block}"


class Client:
    """Acts on one connection until that ends, and then makes another one."""

    endpoints = ("client", "client", "admin")

    def __init__(self, shared: Shared, journal: Journal, seed: str):
        self.shared, self.journal = shared, journal
        self.random = random.Random(seed)
        self.vault: Optional[RecordedClient] = None
        self.dead: set = set()      # names that this client knows to be revoked

    def run(self) -> None:
        while not self.shared.stop.is_set():
            if not self.shared.gate.wait(0.05):
                continue
            endpoint = self.random.choice(self.endpoints)
            try:
                self.vault = RecordedClient(
                    self.shared.sockets[endpoint], endpoint, self.journal)
            except WireError:
                time.sleep(0.01)    # the daemon is not there yet
                continue
            try:
                self.begin()
                while not self.shared.stop.is_set():
                    self.act()
                    time.sleep(self.random.choice((0, 0, 0.001, 0.005, 0.02)))
            except WireError:
                pass
            finally:
                self.vault.close()

    def begin(self) -> None:
        """Comes first on a new connection."""

    def act(self) -> None:
        raise NotImplementedError

    def try_call(self, method: str, params: dict, **told: object) -> Optional[dict]:
        """The result, or nothing when the vault says no."""
        try:
            return self.vault.call(method, params, **told)
        except VaultError as error:
            if error.code == "sealed":
                time.sleep(0.02)
            if error.code == "revoked":
                self.dead.add(params.get("namespace"))
            if error.code in UNHEARD_OF or (
                    error.code == "invalid_params" and method != "pass.store"):
                raise
            return None

    def some_name(self) -> str:
        """One that was made lately or will be made now, and sometimes one known to be revoked."""
        for _ in range(self.random.choice((1, 8, 8, 8))):
            block = max(self.shared.newest.value - self.random.choice((0, 0, 0, 1, 1, 2)), 0)
            name = self.shared.name(block, self.random.randrange(WIDTH + 1))
            if name not in self.dead:
                break
        return name

    def public_key(self, name: str, purpose: str) -> Optional[dict]:
        return self.try_call("key.public", {"namespace": name, "purpose": purpose})

    def store_pass(self, name: str, credential: bytes) -> None:
        unlock_pass = self.shared.door.unlock_pass(
            credential, *self.shared.validity, resolving=True, mailbox=MAILBOX)
        self.try_call("pass.store", {"namespace": name, "pass": unlock_pass})


class Signer(Client):
    """Has many signatures under way at once."""

    def begin(self) -> None:
        self.known: set = set()

    def act(self) -> None:
        names = [self.some_name() for _ in range(self.random.choice((1, 1, 2)))]
        for name in names:
            if name not in self.known and self.public_key(name, "signing"):
                self.known.add(name)
        count = self.random.randrange(1, SIGNATURES + 1)
        for _ in range(count):
            message = self.random.randbytes(self.random.randrange(40))
            self.vault.post("key.sign", {
                "namespace": self.random.choice(names), "message": base64_text(message),
                "format": self.random.choice(("raw", "der"))})
        for _ in range(count):
            try:
                self.vault.take()
            except VaultError as error:
                if error.code == "revoked" and len(names) == 1:
                    self.dead.add(names[0])


class Presenter(Client):
    """Presents credentials to a reader of its own, and signs for a gateway with its own stack."""

    def __init__(self, *arguments: object):
        super().__init__(*arguments)
        door = self.shared.door
        self.door = Door.__new__(Door)
        self.door.__dict__ |= door.__dict__
        self.door.reader_identifier = door.group_identifier + crypto.random_octets(16)
        self.persistent: Dict[str, tuple] = {}      # by name: the key, and the line that made it
        self.left: Optional[str] = None             # the session opened last
        self.name = self.some_name()

    def begin(self) -> None:
        """A session of the connection before is not to be found by this one."""
        if self.left:
            self.try_call("presentation.exchange", {
                "presentation": self.left, "message": base64_text(b"\x00\xa4\x04\x00\x09")})

    def act(self) -> None:
        if self.name in self.dead or self.random.random() < 0.4:
            self.name = self.some_name()
        name = self.name
        key = self.public_key(name, "presentation")
        if key is None:
            self.name = self.some_name()
            return
        choice = self.random.random()
        if choice < 0.1:
            self.try_call("presentation.match", {
                "advertisement": base64_text(advertise(self.door)),
                "address": base64_text(ADDRESS)})
        elif choice < 0.4:
            self.sign(name)
        else:
            self.present(name, octets_of(key["point"]), key["version"])

    def sign(self, name: str) -> None:
        call = SignCall(None, self.door, name)
        for _ in range(self.random.choice((1, 1, 2))):
            self.try_call("presentation.sign", call.parameters(),
                          message=call.facts.transcript(crypto.DEVICE_USAGE).hex())

    def present(self, name: str, credential: bytes, version: int) -> None:
        known, since = self.persistent.get(name, (None, None))
        reader = Reader(self.door.reader_config(
            credential, self.shared.validity[0], transport=self.random.choice(("ble", "nfc")),
            fast=self.random.random() < 0.6, known_persistent_key=known,
            mailbox=exchange.Mailbox(bytes(MAILBOX["size"])), exchanges=self.plans()))
        run = Run("", version, "granted")
        opened = set(self.vault.sessions)
        try:
            gateway = SlowGateway(self.vault, name, reader, Silence())
            gateway.pause = self.pause
            gateway.run()
            if gateway.state != "finished" or not reader.finished:
                raise ReaderError(f"vault {gateway.state}, reader {reader.state}")
        except (Failed, VaultError) as error:
            run.end, run.text = "refused", str(error)
        except ReaderError as error:
            run.end, run.text = "reader", str(error)
        except WireError:
            run.end = "cut"
            raise
        finally:
            run.known_since = since if reader.keyed else None
            for session in set(self.vault.sessions) - opened:
                run.presentation = self.left = session
                self.journal.write("run", run)
        if reader.persistent_key and not reader.keyed:
            self.persistent[name] = reader.persistent_key, self.vault.last_seq
        if run.end != "granted" and run.presentation:
            self.try_call("presentation.close", {"presentation": run.presentation})
        if "pass_missing" in run.text:
            self.store_pass(name, credential)

    def plans(self) -> list:
        """Sometimes the reader writes to the mailbox, what is there already: others write too."""
        offset = self.random.randrange(MAILBOX["size"] - 8)
        plan = exchange.Plan([exchange.write(offset, bytes(8)), exchange.read(offset, 8)])
        return [plan] * self.random.choice((0, 0, 1, 2))

    def pause(self) -> None:
        """Between two messages of the reader, there may be time for others."""
        if self.random.random() < 0.2:
            time.sleep(self.random.random() * 0.03)


class SlowGateway(Gateway):
    @staticmethod
    def pause() -> None:
        """Replaced by the presenter's."""

    def _send(self, messages: list) -> None:
        self.pause()
        super()._send(messages)


class Holder(Client):
    """Issues passes, and deletes them with their keys, so that the next key is a new version."""

    def act(self) -> None:
        name = self.some_name()
        choice = self.random.random()
        if choice < 0.15:
            self.try_call("pass.delete", {"namespace": name})
        elif choice < 0.35:
            self.try_call("pass.info", {"namespace": name})
        elif choice < 0.5:
            self.try_call("namespace.get", {"namespace": name})
        elif choice < 0.55:
            self.try_call("namespace.create", {"namespace": name})
        else:
            key = self.public_key(name, "presentation")
            if key is not None:
                self.store_pass(name, octets_of(key["point"]))


class Revoker(Client):
    """Suspends, resumes and revokes, one by one and by prefix, and goes on to new names."""

    endpoints = ("admin",)

    def act(self) -> None:
        time.sleep(self.random.random() * 0.08)
        name, choice = self.some_name(), self.random.random()
        if name in self.dead and choice < 0.8:
            self.shared.newest.value += 1       # hardly anything is left
        elif choice < 0.6:
            self.try_call("namespace.suspend", {"namespace": name})
            time.sleep(self.random.random() * 0.05)
            self.try_call("namespace.resume", {"namespace": name})
        elif choice < 0.8:
            self.dead.add(name)
            self.try_call("namespace.revoke", {"namespace": name})
        elif choice < 0.88:
            block = max(self.shared.newest.value - self.random.choice((0, 1, 2, 3)), 0)
            self.try_call("namespace.revoke", {"prefix": self.shared.name(block, 0)})
        else:
            self.shared.newest.value += 1

class Governor(Client):
    """Takes rights away and gives them back."""

    endpoints = ("admin",)

    def __init__(self, shared: Shared, journal: Journal, seed: str, policies: "Policies"):
        super().__init__(shared, journal, seed)
        self.policies = policies

    def begin(self) -> None:
        self.try_call("policy.set", {"policy": self.policies.whole})

    def act(self) -> None:
        time.sleep(self.random.random() * 0.25)
        newest = self.shared.newest.value
        text = self.policies.without(self.random, [
            self.shared.name(max(newest - back, 0), 0) for back in range(3)])
        if self.try_call("policy.set", {"policy": text}):
            time.sleep(self.random.random() * 0.1)
            self.try_call("policy.set", {"policy": self.policies.whole})


class Policies:
    """The policy that gives every client what it needs, and those that do not."""

    OFFICE = ["key.list", "pass.info", "namespace.*", "policy.*", "audit.*", "status", "seal"]
    WORK = {"sign": ["key.sign"], "keys": ["key.public", "namespace.create"],
            "doors": ["presentation.*"], "passes": ["pass.*"], "look": ["namespace.get"]}

    def __init__(self, admin: int, workers: set):
        self.admin, self.workers = admin, sorted(workers)
        self.whole = self.text({})

    def text(self, namespaces: Dict[tuple, str]) -> str:
        """`namespaces` are those that a worker has for a kind of work, if not all."""
        lines = ["policy 1", f"allow user:{self.admin}", f"  methods {' '.join(self.OFFICE)}",
                 "  namespaces **"]
        for worker in self.workers:
            for work, methods in self.WORK.items():
                where = namespaces.get((worker, work), "h/**")
                if where:
                    lines += [f"allow user:{worker}", f"  methods {' '.join(methods)}",
                              f"  namespaces {where}"]
        return "\n".join(lines) + "\n"

    def without(self, choose: random.Random, prefixes: list) -> str:
        """One kind of work is left for some names only, or for none."""
        worker = choose.choice(self.workers)
        work = choose.choice([work for work in self.WORK if work != "look"])
        left = choose.choice(prefixes)
        return self.text({(worker, work): choose.choice(("", f"{left} {left}/**"))})


def start(client: type, shared: Shared, stream: object, uid: int, seed: str,
          *more: object) -> int:
    """Forks a client that is another user; returns its process."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        if uid != os.geteuid():
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        journal = Journal(stream, os.getpid(), uid)
        client(shared, journal, seed, *more).run()
        journal.close()
        status = 0
    except BaseException:       # it must never go on as the parent
        traceback.print_exc(file=sys.stderr)
    finally:
        os._exit(status)
