"""Good runs against a running vault: a good reader must get in, in every way there is."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import Reader, commands, crypto, exchange, tlv  # noqa: E402
from aliro_reader import certificate as certificates  # noqa: E402
from bench import OnBench, take_socket_arguments  # noqa: E402
from door import Door, usual_validity  # noqa: E402
from fault_session import Surprise  # noqa: E402


class Runs(OnBench):
    def run_good(self, **options) -> Reader:
        reader = self.bench.reader(**options)
        events = [event["event"] for event in self.bench.run_good(reader)]
        self.assertEqual(events.count("access_granted"), 1, events)
        self.assertLessEqual({"credential_presented", "reader_authenticated"}, set(events))
        self.assertFalse({"failed", "error", "access_denied"} & set(events), events)
        return reader


class Standard(Runs):
    def test_all_variants(self):
        for transport in ("ble", "nfc"):
            for variant in ("direct", "loadcert", "auth1cert"):
                for identification in ("key", "slot"):
                    for intent in ("unsecure", "secure"):
                        with self.subTest(f"{transport} {variant} {identification} {intent}"):
                            self.run_good(transport=transport, intent=intent, variant=variant,
                                          identification=identification)

    def test_form_of_commands(self):
        extension = bytes.fromhex("300904030000010102AABB")
        for transport in ("ble", "nfc"):
            with self.subTest(transport):
                self.run_good(transport=transport, variant="loadcert", with_le=False)
                self.run_good(transport=transport, policy=2)
                self.run_good(transport=transport, extension=extension)
                self.run_good(transport=transport, variant="auth1cert", chunk=16)
        self.run_good(versions=bytes.fromhex("01000009"))

    def test_command_chaining(self):
        long = self.bench.door.certificate(
            issuer=b"i" * 32, subject=b"s" * 32, serial=b"\x7F" * 20)
        self.assertGreater(len(long), 186)   # so that AUTH1 needs two parts
        for transport in ("ble", "nfc"):
            self.run_good(transport=transport, variant="auth1cert", certificate=long)
            self.run_good(transport=transport, variant="loadcert", certificate=long, chunk=100)

    def test_certificate_with_every_field(self):
        made = self.bench.door.certificate(
            issuer=b"Example Issuer", subject="Tür".encode(), serial=b"\xFF\x00",
            not_before=b"250101000000Z", not_after=b"360101000000Z")
        certificates.parse(made)
        self.run_good(variant="loadcert", certificate=made)

    def test_unknown_tags_are_skipped(self):
        for tag in (b"\xAA\x03\x01\x02\x03", b"\x9F\x42\x00"):
            for front in (True, False):
                def add(octets, front=front, tag=tag):
                    return tag + octets if front else octets + tag
                session = self.bench.session()
                session.good(session.auth0(add(tlv.encode_all(session.auth0_pairs()))))
                data = add(tlv.encode_all(commands.auth1_fields("key", session.signature())))
                session.good(session.auth1(data=data))

    def test_get_data_leaves_the_session_alone(self):
        for transport in ("ble", "nfc"):
            session = self.bench.session(transport=transport)
            answer = session.apdu("GET DATA", bytes.fromhex("00CA7F6800"))
            self.assertEqual((answer.status_word, answer.data), ("6A88", b""))
            self.assertNotEqual(answer.state, "failed")
            session.accepted()

    def test_a_new_select_starts_a_new_transaction(self):
        session = self.bench.session(transport="nfc").accepted()
        before = session.transaction.device_ephemeral
        session.select()
        session.ephemeral = crypto.new_key()
        session.accepted()
        self.assertNotEqual(session.transaction.device_ephemeral, before)
        session.exchanged(b"\x98\x00")

    def test_ephemeral_keys_are_fresh(self):
        keys = {self.bench.session().begin().transaction.device_ephemeral for _ in range(8)}
        self.assertEqual(len(keys), 8)

    def test_policy_03_with_a_confirmation(self):
        namespace, credential, door = self.bench.confirming()
        for transport in ("ble", "nfc"):
            session = self.bench.session(namespace, credential, door, transport=transport,
                                         user_confirmed=True)
            session.flags = b"\x00\x03"
            session.accepted()


class Time(Runs):
    def test_busy_restarts_the_time_for_auth0(self):
        session = self.bench.session()
        session.wait(0.7)
        answer = session.send("EVENT", bytes.fromhex("020000020000"))
        self.assertEqual(answer.events, ["busy"])
        self.assertEqual(answer.state, "awaiting_auth0")
        session.wait(0.7)
        session.accepted()

    def test_no_timer_runs_over_nfc(self):
        opened = self.bench.vault.call("presentation.open", {
            "namespace": self.bench.namespace, "transport": "nfc"})
        self.assertNotIn("timeout_ms", opened)
        self.assertEqual((opened["messages"], opened["state"]), ([], "awaiting_select"))


class Fast(Runs):
    def test_a_known_reader_is_fast_over_either_transport(self):
        for first in ("ble", "nfc"):
            known = self.run_good(transport=first, fast=True).persistent_key
            for second in ("ble", "nfc"):
                for intent in ("unsecure", "secure"):
                    with self.subTest(f"{first} then {second}, {intent}"):
                        reader = self.run_good(
                            transport=second, fast=True, known_persistent_key=known, intent=intent,
                            exchanges=[exchange.Plan([exchange.read(0, 8)], ursk=True)])
                        self.assertTrue(reader.keyed)
                        self.assertFalse(reader.authenticated)

    def test_auth1_behind_a_keyed_auth0_replaces_the_key(self):
        for transport in ("ble", "nfc"):
            known = self.run_good(fast=True).persistent_key
            reader = self.run_good(transport=transport, fast=True, known_persistent_key=known,
                                   always_auth1=True, step_up=self.bench.request())
            self.assertTrue(reader.keyed and reader.authenticated)
            self.assertNotEqual(reader.persistent_key, known)
            old = self.bench.reader(fast=True, known_persistent_key=known)
            self.bench.run_good(old)
            self.assertFalse(old.keyed)

    def test_unknown_readers_get_answers_of_the_same_shape(self):
        shown = set()
        groups = (self.bench.door.group_identifier, crypto.random_octets(16))
        for group in groups * 4:
            session = self.bench.session(reader_identifier=group + crypto.random_octets(16))
            session.flags = b"\x01\x01"
            session.begin()
            self.assertEqual(len(session.cryptogram), 64)
            shown.add(session.cryptogram)
        self.assertEqual(len(shown), 8)

    def test_so_many_readers_are_known_at_once_and_then_the_oldest_goes(self):
        """Sixteen of a group must be; this vault keeps sixty-four."""
        door = Door()
        namespace, credential = self.bench.stored(door)
        keys = {}
        for _ in range(65):
            identifier = door.group_identifier + crypto.random_octets(16)
            session = self.bench.session(namespace, credential, door, reader_identifier=identifier)
            keys[identifier] = session.accepted().persistent_key
        self.assertEqual(len(set(keys.values())), 65)
        first, *others = keys
        for identifier in others:
            self.bench.session(namespace, credential, door, reader_identifier=identifier).fast(
                keys[identifier])
        forgotten = self.bench.session(namespace, credential, door, reader_identifier=first)
        self.assertRaises(Surprise, forgotten.fast, keys[first])

    def test_a_new_pass_forgets_the_keys(self):
        door = Door()
        namespace, credential = self.bench.stored(door)
        session = self.bench.session(namespace, credential, door).accepted()
        self.bench.session(namespace, credential, door).fast(session.persistent_key)
        self.bench.store(namespace, door.unlock_pass(credential, *usual_validity()))
        again = self.bench.session(namespace, credential, door)
        again.flags = b"\x01\x01"
        again.begin()
        block = crypto.fast_block(session.persistent_key, again.transaction, credential)
        self.assertIsNone(crypto.open_cryptogram(block[0], again.cryptogram))
        self.assertEqual(len(again.cryptogram), 64)


if __name__ == "__main__":
    take_socket_arguments()
    unittest.main()
