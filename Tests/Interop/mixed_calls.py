#!/usr/bin/env python3
"""Ten thousand mixed calls, good and bad, for a look at what they leave in memory.

Takes an unsealed vault with a key-file slot and leaves it unsealed, with presentations open.
Adds a passphrase slot, and seals and unseals with both. Prints one JSON object
`{"calls", "namespaces", "typed", "ended", "open"}`, then holds its connections until standard input
ends. The last three are secrets in hex by name: those sent to the vault, right or wrong, and those of
requests for Biqli; those of presentations that are over; those of presentations still open.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import Reader, crypto  # noqa: E402
from biqli_secrets import BiqliSecrets  # noqa: E402
from door import Door, usual_validity  # noqa: E402
from fault_session import FaultSession  # noqa: E402
from presenting import Narrator, present  # noqa: E402
from vault_client import VaultClient, VaultError, base64_text, octets_of  # noqa: E402
from vault_pipeline import Pipeline  # noqa: E402

ROUNDS = 4
NAMESPACES = 8
PRESENTATIONS = 24      # in each round


class Counted(VaultClient):
    """Counts its calls."""

    calls = 0

    def call(self, method, params=None):
        Counted.calls += 1
        return super().call(method, params)

    def refused(self, code: str, method: str, params=None) -> None:
        try:
            self.call(method, params)
        except VaultError as error:
            if error.code != code:
                raise
        else:
            raise SystemExit(f"mixed_calls: {method} was not refused")


def key_file_secret(path: str) -> bytes:
    return bytes.fromhex(Path(path).read_text().split()[1])


def session_secrets(name: str, transaction, own_key, versions: bytes, version: bytes) -> dict:
    """Everything both sides share after AUTH1, from the reader's half of it."""
    shared = crypto.agree(own_key, transaction.device_ephemeral)
    kdh = crypto.x963(shared, transaction.transaction_identifier)
    keys = crypto.volatile_keys(kdh, transaction)
    step_up = crypto.step_up_keys(keys.step_up)
    secrets = {"Z": shared, "Kdh": kdh, "SKReader": keys.expedited_reader,
               "SKDevice": keys.expedited_device, "StepUpSK": keys.step_up, "BleSK": keys.ble,
               "URSK": keys.ursk, "StepUpSKReader": step_up[0], "StepUpSKDevice": step_up[1]}
    channel = crypto.ble_keys(keys.ble, versions, version)
    secrets.update({"BleSKReader": channel[0], "BleSKDevice": channel[1]})
    return {f"{name} {key}": value.hex() for key, value in secrets.items()}


class Workload:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.admin = Counted(arguments.admin_socket)
        self.client = Counted(arguments.client_socket)
        self.pipeline = Pipeline(arguments.client_socket)
        self.door = Door()
        self.key = base64_text(key_file_secret(arguments.key_file))
        self.passphrase = "canary " + crypto.random_octets(24).hex()
        self.namespaces = [f"scan/{number}" for number in range(NAMESPACES)]
        self.credentials: dict = {}
        self.typed = {"passphrase": self.passphrase.encode().hex()}
        self.ended: dict = {}
        self.open: dict = {}
        self.sessions: list = []
        self.biqli = BiqliSecrets(self.client)

    def run(self) -> None:
        for namespace in self.namespaces:
            result = self.client.call("key.public", {"namespace": namespace})
            self.credentials[namespace] = octets_of(result["point"])
            self.client.call("key.public", {"namespace": namespace, "purpose": "signing"})
        self.admin.call("slot.add", {"label": "canary", "passphrase": self.passphrase})
        for number in range(ROUNDS):
            self.store_passes()
            self.open_locks(number)
            self.many()
            self.present(number)
            self.ask_for_requests(number)
            self.fail()
            self.leave_open(number)
            self.reseal(number)
        self.leave_open(ROUNDS)

    def store_passes(self) -> None:
        signed, until = usual_validity()
        self.signed = signed
        for namespace, credential in self.credentials.items():
            unlock_pass = self.door.unlock_pass(credential, signed, until, resolving=True)
            self.client.call("pass.store", {"namespace": namespace, "pass": unlock_pass})

    def open_locks(self, round_number: int) -> None:
        """A pair for each namespace's lock, and packets of it, right and wrong."""
        for number, namespace in enumerate(self.namespaces):
            name = f"lock {round_number}.{number}"
            lock = {"namespace": namespace, "mac": f"{number:012x}"}
            key, command = crypto.random_octets(16), crypto.random_octets(20)
            pair = {"offline_key": key.hex(), "unlock_command": command.hex().upper(),
                    "environment": "production"}
            self.client.call("noke.store", {**lock, **pair})
            self.client.refused("conflict", "noke.store", {**lock, **pair, "environment": "sandbox"})
            self.client.refused("invalid_params", "noke.store", {
                **lock, **pair, "unlock_command": command.hex() + "0"})
            self.typed |= {f"{name} offline key": key.hex(), f"{name} command": command.hex()}
            # The first pair is active, a later one pending until it was reported.
            state = "active" if round_number == 0 else "pending"
            for embed_time in (False, True):
                session = crypto.random_octets(20)
                asked = {**lock, "session": session.hex(), "generation": state}
                answer = self.client.call("noke.unlock", {**asked, "embed_time": embed_time})
                combined = bytes((a + b) % 256 for a, b in zip(key, session))
                body = bytearray(command[4:])
                if embed_time:
                    body[2:6] = answer["unix_time"].to_bytes(4, "little")
                    body[15] = sum(body[:15]) % 256
                self.typed |= {f"{name} {embed_time} combined key": combined.hex(),
                               f"{name} {embed_time} body": bytes(body).hex()}
                self.client.refused("conflict", "noke.unlock", asked)
            self.client.call("noke.report", {
                **lock, "session": session.hex(), "response": "516001" + "0" * 34})
            self.client.call("noke.info", lock)

    def many(self) -> None:
        """Pipelined calls, one in four of them refused."""
        calls = []
        for number in range(300):
            namespace = self.namespaces[number % NAMESPACES]
            message = base64_text(crypto.random_octets(1 + number % 700))
            digest = base64_text(crypto.random_octets(32))
            calls += [
                ("key.sign", {"namespace": namespace, "message": message, "format": "raw"}),
                ("key.sign", {"namespace": namespace, "digest": digest, "format": "der"}),
                ("key.public", {"namespace": namespace}),
                ("key.list", {"namespace": namespace}),
                ("pass.info", {"namespace": namespace}),
                ("namespace.get", {"namespace": namespace}),
                ("key.sign", {"namespace": f"{namespace}/no", "message": message,
                              "format": "der"}),
                ("key.sign", {"namespace": namespace, "message": message, "format": "hex"}),
            ]
        refused = sum("error" in answer for _, answer in self.pipeline.run(calls))
        Counted.calls += len(calls)
        if refused != 600:
            raise SystemExit(f"mixed_calls: {refused} calls were refused instead of 600")

    def present(self, round_number: int) -> None:
        silent = Narrator()
        silent.say = lambda _: None
        for number in range(PRESENTATIONS):
            namespace = self.namespaces[number % NAMESPACES]
            config = self.door.reader_config(
                self.credentials[namespace], self.signed,
                variant=("direct", "loadcert", "auth1cert")[number % 3])
            reader = Reader(config)
            present(self.client, namespace, "unsecure", reader, silent)
            if number >= PRESENTATIONS - 2:
                self.ended.update(session_secrets(
                    f"finished {round_number}.{number}", reader.transaction, config.ephemeral,
                    config.versions, config.version))
                self.ended[f"finished {round_number}.{number} Kpersistent"] = (
                    reader.persistent_key.hex())

    def ask_for_requests(self, round_number: int) -> None:
        for number in range(2):
            namespace = f"scan/biqli/{round_number}.{number}"
            self.client.call("namespace.create", {"namespace": namespace})
            self.biqli.run(namespace, f"{round_number}.{number}")
        self.typed.update(self.biqli.told)

    def fail(self) -> None:
        """Presentations that go wrong half-way, and lines that are no calls."""
        namespace = self.namespaces[0]
        for number in range(6):
            session = self.session(namespace)
            session.accepted() if number % 2 else session.begin()
            spoiled = session.apdu("AUTH1", b"\x80\x81\x00\x00\x00")
            if not spoiled.refused:
                raise SystemExit("mixed_calls: a spoiled AUTH1 was not refused")
        self.client.refused("invalid_params", "key.sign", {
            "namespace": namespace, "message": "A===", "format": "raw"})
        spoiled_pass = self.door.unlock_pass(
            self.credentials[namespace], *usual_validity(), resolving=True)
        spoiled_pass["reader_groups"][0]["reader_group_id"] = "A==="
        self.client.refused("invalid_params", "pass.store", {
            "namespace": namespace, "pass": spoiled_pass})
        self.client.refused("forbidden", "unseal", {"passphrase": self.passphrase})
        self.admin.refused("conflict", "unseal", {"key": self.key})
        self.admin.refused("conflict", "unseal", {"passphrase": self.passphrase})
        self.admin.refused("invalid_params", "unseal", {
            "passphrase": self.passphrase, "key": self.key})
        self.admin.refused("invalid_params", "slot.add", {
            "label": "", "key": self.key, "passphrase": self.passphrase})
        self.admin.refused("method_not_found", "unsael", {"passphrase": self.passphrase})

    def session(self, namespace: str) -> FaultSession:
        return FaultSession(self.client, namespace, self.door, self.credentials[namespace])

    def leave_open(self, round_number: int) -> None:
        """Two presentations whose channel is up; the next seal must end them."""
        self.ended.update(self.open)
        self.open = {}
        for number in range(2):
            session = self.session(self.namespaces[number]).accepted()
            self.sessions.append(session)
            self.open.update(session_secrets(
                f"open {round_number}.{number}", session.transaction, session.ephemeral,
                b"\x01\x00", b"\x01\x00"))

    def reseal(self, number: int) -> None:
        self.admin.call("seal")
        self.client.refused("sealed", "key.public", {"namespace": self.namespaces[0]})
        secret = crypto.random_octets(32)
        self.typed[f"wrong key {number}"] = secret.hex()
        wrong = base64_text(secret)
        self.admin.refused("wrong_secret", "unseal", {"key": wrong})
        self.admin.refused("wrong_secret", "unseal", {"key": wrong, "slot": 1})
        # Argon2id is slow: once right and once wrong is enough.
        if number == 0:
            self.admin.refused("wrong_secret", "unseal", {"passphrase": self.passphrase + "!"})
            self.admin.call("unseal", {"passphrase": self.passphrase})
        else:
            self.admin.call("unseal", {"key": self.key})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--client-socket", required=True)
    parser.add_argument("--admin-socket", required=True)
    parser.add_argument("--key-file", required=True)
    workload = Workload(parser.parse_args())
    workload.run()
    print(json.dumps({
        "calls": Counted.calls, "namespaces": workload.namespaces,
        "typed": workload.typed, "ended": workload.ended,
        # A resolving key stays with the opened namespace.
        "open": workload.open | {"resolving key": workload.door.resolving_key.hex()},
    }), flush=True)
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
