"""What the faults and the good runs work with: a connection, passes, and sessions to spoil."""

import os
import sys
import unittest

import cbor2

from aliro_reader import Reader, crypto, document, exchange, step_up
from door import Door, mailbox_settings, usual_validity
from fault_session import FaultSession
from presenting import Silence, present
from vault_client import VaultClient, octets_of

ELEMENTS = {name: document.simple_element() for name in ("floor1", "floor2", "floor3")}
KEPT = 4        # sessions that stay open
WANTED = {"aliro-a": ["floor1", "floor3"], "aliro-r": ["revoked"]}


def socket_path(name: str) -> str:
    path = os.environ.get(name)
    if not path:
        raise RuntimeError(f"{name} is not set: these tests need a running, unsealed vault")
    return path


def take_socket_arguments() -> None:
    for option, name in (("--client-socket", "LATCHKEY_CLIENT_SOCKET"),
                         ("--admin-socket", "LATCHKEY_ADMIN_SOCKET")):
        if option in sys.argv:
            index = sys.argv.index(option)
            os.environ[name] = sys.argv[index + 1]
            del sys.argv[index:index + 2]


class Bench:
    """One connection, one namespace with a good pass of every kind, and fresh ones on request.

    `transport` is that of the sessions made next; `mailbox` is what the pass's mailbox holds
    after the good commands of readers made here.
    """

    transport = "ble"

    def __init__(self) -> None:
        self.vault = VaultClient(socket_path("LATCHKEY_CLIENT_SOCKET"))
        with VaultClient(socket_path("LATCHKEY_ADMIN_SOCKET")) as admin:
            state = admin.call("status")["state"]
        if state != "unsealed":
            raise RuntimeError(f"the vault is {state}: these tests need it unsealed")
        self.prefix = "oracle/" + crypto.random_octets(6).hex()
        self.count = 0
        self.door = Door()
        self.namespace, self.credential = self.fresh_namespace()
        self.signed, end = usual_validity()
        self.store(self.namespace, self.door.unlock_pass(
            self.credential, self.signed, end, elements=ELEMENTS, revocation=True,
            mailbox=mailbox_settings(), resolving=True, names_issuer=True))
        self.mailbox = exchange.Mailbox(bytes(mailbox_settings()["size"]))
        self._fast: dict = {}
        self._confirming = None
        self._sessions: list = []

    def fresh_namespace(self) -> tuple:
        self.count += 1
        namespace = f"{self.prefix}/{self.count}"
        result = self.vault.call("key.public", {"namespace": namespace})
        return namespace, octets_of(result["point"])

    def store(self, namespace: str, unlock_pass: dict) -> dict:
        return self.vault.call("pass.store", {"namespace": namespace, "pass": unlock_pass})

    def stored(self, door: Door, **options) -> tuple:
        """A fresh namespace with a usual pass."""
        namespace, credential = self.fresh_namespace()
        self.store(namespace, door.unlock_pass(credential, *usual_validity(), **options))
        return namespace, credential

    def admin(self, method: str, parameters: dict) -> dict:
        with VaultClient(socket_path("LATCHKEY_ADMIN_SOCKET")) as admin:
            return admin.call(method, parameters)

    def session(self, namespace=None, credential=None, door=None, **options) -> FaultSession:
        options.setdefault("transport", self.transport)
        return self.track(FaultSession(self.vault, namespace or self.namespace, door or self.door,
                                       credential or self.credential, **options))

    def track(self, session: FaultSession) -> FaultSession:
        """Closes older sessions: a vault keeps only so many open, and no test looks so far back."""
        self._sessions.append(session)
        while len(self._sessions) > KEPT:
            self._sessions.pop(0).close()
        return session

    def confirming(self) -> tuple:
        """A namespace that takes a confirmation by its user: with its credential and door."""
        if self._confirming is None:
            door = Door()
            namespace, credential = self.stored(door)
            self.admin("namespace.configure", {"namespace": namespace, "user_confirmation": True})
            self._confirming = namespace, credential, door
        return self._confirming

    def fast_session(self, **options) -> FaultSession:
        """A session behind a keyed AUTH0, of a reader of its own: each AUTH1 makes a new key."""
        if self.transport not in self._fast:
            identifier = self.door.group_identifier + crypto.random_octets(16)
            session = self.session(reader_identifier=identifier).accepted()
            self._fast[self.transport] = identifier, session.persistent_key
        identifier, key = self._fast[self.transport]
        return self.session(reader_identifier=identifier).fast(
            key, **options)

    @staticmethod
    def device_request() -> bytes:
        items = cbor2.dumps(step_up.items_request("aliro-a", ["floor1"]))
        return cbor2.dumps(step_up.device_request([items]))

    def request(self, **options) -> step_up.Request:
        return step_up.Request(dict(WANTED), crypto.point_of(self.door.issuer), **options)

    def reader(self, **options) -> Reader:
        options.setdefault("transport", self.transport)
        self.mailbox.drop_held()
        return Reader(self.door.reader_config(
            self.credential, self.signed, mailbox=self.mailbox,
            revocation_time=document.time_text(self.signed), **options))

    def run_good(self, reader: Reader, **options) -> list:
        """A good run; returns the vault's events."""
        return present(self.vault, self.namespace, reader.config.intent, reader, Silence(),
                       **options)


class OnBench(unittest.TestCase):
    """Tests of one class, which share a bench."""

    @classmethod
    def setUpClass(cls):
        cls.bench = Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.vault.close()
