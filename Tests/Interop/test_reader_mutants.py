"""Seeded faults: each mutant of a good device must be refused by the reader."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import ble, certificate, crypto  # noqa: E402
from aliro_reader.reader import ReaderError  # noqa: E402
from mutants import MUTANTS  # noqa: E402
from vectors import CASES, private, public, pump, vector_pair  # noqa: E402


class Mutants(unittest.TestCase):
    def test_every_mutant_is_refused_in_every_recorded_run(self):
        for number, case in CASES.items():
            for name, alter in MUTANTS.items():
                if name.startswith("certificate-data") and case["variant"] != "loadcert":
                    continue
                with self.subTest(f"transaction {number + 1}, {name}"):
                    reader, device = vector_pair(number, alter)
                    with self.assertRaises(ReaderError) as caught:
                        pump(reader, device)
                    self.assertEqual(reader.state, "failed")
                    self.assertTrue(str(caught.exception).strip())

    def test_a_failed_reader_takes_nothing_more(self):
        reader, device = vector_pair(0, MUTANTS["rke-message: GCM tag"])
        self.assertRaises(ReaderError, pump, reader, device)
        self.assertRaises(ReaderError, reader.receive, ble.Message(2, 4, bytes(19)).encode())

    def test_a_replayed_request_is_refused(self):
        reader, device = vector_pair(0)
        exchanged = pump(reader, device)
        request = [message for message in exchanged if message[:2] == b"\x02\x04"][0]
        self.assertRaises(ReaderError, reader.receive, request)

    def test_a_device_that_echoes_the_reader_key_is_refused(self):
        reader, device = vector_pair(0)
        device.config.ephemeral = reader.config.ephemeral
        self.assertRaises(ReaderError, pump, reader, device)

    def test_another_credential_is_refused_with_either_identification(self):
        for identification in ("key", "slot"):
            reader, device = vector_pair(0, identification=identification)
            device.config.credential = private("wrongReader")
            self.assertRaises(ReaderError, pump, reader, device)


class GoodRuns(unittest.TestCase):
    """Every variant must pass, or the mutants would be refused for no reason."""

    def run_good(self, **changes):
        reader, device = vector_pair(2, **changes)
        device.config.action = 0 if reader.config.intent == "secure" else 1
        device.config.versions = reader.config.versions
        pump(reader, device)
        self.assertTrue(reader.finished)
        self.assertIn({"event": "access_granted"}, device.events)
        return reader

    def test_all_variants(self):
        for variant in ("loadcert", "auth1cert"):
            for identification in ("key", "slot"):
                for intent in ("secure", "unsecure"):
                    with self.subTest(f"{variant} {identification} {intent}"):
                        self.run_good(variant=variant, identification=identification,
                                      intent=intent)

    def test_reader_key_held_directly(self):
        reader, device = vector_pair(2, variant="direct", signing_key=private("readerIssuerCA"))
        pump(reader, device)
        self.assertTrue(reader.finished)

    def test_chaining_no_le_two_versions_and_fast(self):
        long = certificate.issue(
            private("readerIssuerCA"), public("readerCertified"), issuer=b"i" * 32,
            subject=b"s" * 32, serial=b"\x7F" * 20).compressed()
        self.run_good(variant="auth1cert", certificate=long)
        self.run_good(variant="loadcert", certificate=long, chunk=100)
        self.run_good(with_le=False)
        self.run_good(versions=bytes.fromhex("01000009"))
        reader = self.run_good(fast=True, known_persistent_key=bytes(32))
        self.assertIn("not keyed", reader.transcript[2].verified)

    def test_a_busy_event_is_waited_out(self):
        reader, device = vector_pair(0)
        self.assertEqual(reader.receive(bytes.fromhex("020000020000")), [])
        pump(reader, device)
        self.assertTrue(reader.finished)

    def test_versions_and_keys_do_not_mix(self):
        reader, device = vector_pair(0, versions=bytes.fromhex("01000009"))
        pump(reader, device)
        self.assertFalse(reader.finished)
        self.assertEqual(device.refusal.code, "protocol_error")

    def test_direct_agreement_of_both_sides(self):
        reader, device = vector_pair(0)
        pump(reader, device)
        kdh = reader.transaction.kdh(
            device.config.ephemeral, reader.transaction.reader_ephemeral)
        self.assertEqual(crypto.volatile_keys(kdh, reader.transaction), reader.keys)


if __name__ == "__main__":
    unittest.main()
