"""Signing for gateways with stacks of their own, and matching advertisements, on a vault."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import advertisement, crypto  # noqa: E402
from bench import OnBench, take_socket_arguments  # noqa: E402
from door import Door, usual_validity  # noqa: E402
from faults_sign import (  # noqa: E402
    ADDRESS, EXPIRY, MATCH_FAULTS, SIGN_FAULTS, SignCall, advertise, match)
from vault_client import VaultError, base64_text  # noqa: E402


class Calls(OnBench):
    def attempted(self, attempt, codes):
        """The result of an attempt; None when it was refused as it should be."""
        try:
            return attempt(self.bench)
        except VaultError as error:
            if error.code == "internal":    # a breakdown is no refusal
                raise
            self.assertIn(error.code, codes, str(error))
            return None


class Sign(Calls):
    def test_the_signature_is_of_the_device_transcript(self):
        signatures = set()
        for _ in range(4):
            call = SignCall(self.bench)
            result = call.call()
            signatures.add(call.check(result, self.bench.credential))
            self.assertEqual((result["format"], result["key_version"]), ("raw", 1))
            self.assertLessEqual(set(result), {"signature", "format", "key_version", "seq"})
        self.assertEqual(len(signatures), 4)

    def test_a_certified_reader(self):
        call = SignCall(self.bench)
        result = call.call(certificate=self.bench.door.certificate(),
                           reader_signature=call.sign_by_reader(self.bench.door.certified))
        call.check(result, self.bench.credential)

    def test_every_attempt_is_refused(self):
        for name, attempt, codes in SIGN_FAULTS:
            with self.subTest(name):
                self.check_sign(attempt, codes)

    def check_sign(self, attempt, codes):
        result = self.attempted(attempt, codes)
        self.assertIsNone(result, "it signed")

    def test_refused_calls_use_nothing_up(self):
        call = SignCall(self.bench)
        for _ in range(2):
            self.assertRaises(VaultError, call.call, reader_signature=bytes(64))
        call.check(call.call(), self.bench.credential)

    def test_sessions_and_this_call_share_no_transcript(self):
        """What a session signed is another thing: its ephemeral key never leaves the vault."""
        session = self.bench.session().accepted()
        call = SignCall(self.bench)
        call.facts = crypto.Transaction(**{
            **session.transaction.__dict__, "device_ephemeral": call.facts.device_ephemeral})
        call.check(call.call(), self.bench.credential)


class Match(Calls):
    def found(self, result: dict) -> list:
        return [(entry["namespace"], entry["reader_group"], entry["verified"])
                for entry in result["matches"]]

    def test_a_good_advertisement(self):
        bench = self.bench
        expected = [(bench.namespace, base64_text(bench.door.group_identifier), True)]
        for more in ({}, {"namespace": bench.namespace}):
            result = match(bench, advertise(bench.door), **more)
            self.assertEqual(self.found(result), expected)
            self.assertEqual((result["connectable"], result["more"]), (True, False))

    def test_flags_say_whether_to_connect(self):
        for flags, connectable in ((0x40, True), (0x80, True), (0xC0, True), (0x58, True),
                                   (0x00, False), (0x18, False), (0x41, False), (0x87, False)):
            with self.subTest(f"{flags:02X}"):
                octets = advertise(self.bench.door, flags=flags, power=-4)
                self.assertEqual(match(self.bench, octets)["connectable"], connectable)

    def test_every_fault_matches_nothing(self):
        for name, attempt, codes in MATCH_FAULTS:
            with self.subTest(name):
                self.check_match(attempt, codes)

    def check_match(self, attempt, codes):
        result = self.attempted(attempt, codes)
        if result is not None:
            self.assertFalse(codes, "it was taken for an advertisement")
            self.assertEqual(result["matches"], [])

    def test_another_namespace_is_not_named(self):
        namespace, _ = self.bench.stored(Door())
        result = match(self.bench, advertise(self.bench.door), namespace=namespace)
        self.assertEqual(result["matches"], [])

    def test_without_a_resolving_key_only_the_prefix_agrees(self):
        door = Door()
        namespace, _ = self.bench.stored(door)
        expected = [(namespace, base64_text(door.group_identifier), False)]
        octets = advertise(door)
        for shown in (octets, octets[:24] + bytes(7)):
            self.assertEqual(self.found(match(self.bench, shown)), expected)

    def test_two_namespaces_for_one_group(self):
        door = Door()
        names = sorted(self.bench.stored(door, resolving=True)[0] for _ in range(2))
        result = match(self.bench, advertise(door))
        self.assertEqual(sorted(entry["namespace"] for entry in result["matches"]), names)

    def test_more_matches_than_are_named(self):
        door = Door()
        for _ in range(65):
            self.bench.stored(door)
        result = match(self.bench, advertise(door))
        self.assertEqual((len(result["matches"]), result["more"]), (64, True))

    def test_a_pass_that_is_replaced_or_deleted_matches_no_more(self):
        door, other = Door(), Door()
        namespace, credential = self.bench.stored(door, resolving=True)
        self.bench.store(namespace, other.unlock_pass(
            credential, *usual_validity(), resolving=True))
        self.assertEqual(match(self.bench, advertise(door))["matches"], [])
        self.assertEqual(len(match(self.bench, advertise(other))["matches"]), 1)

    def test_the_tag_is_of_address_and_expiry(self):
        key = self.bench.door.resolving_key
        tag = advertisement.dynamic_tag(key, ADDRESS, EXPIRY)
        self.assertEqual(advertise(self.bench.door)[24:], tag)


if __name__ == "__main__":
    take_socket_arguments()
    unittest.main()
