"""Every named fault against a running vault: refused, where and how it should be.

Sockets come from LATCHKEY_CLIENT_SOCKET and LATCHKEY_ADMIN_SOCKET, or from
`--client-socket PATH --admin-socket PATH`.
"""

import base64
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import faults_auth0  # noqa: E402,F401  (importing registers the faults)
import faults_ble  # noqa: E402,F401
import faults_trust  # noqa: E402,F401
from aliro_reader import Reader, crypto, tlv  # noqa: E402
from aliro_reader import certificate as certificates  # noqa: E402
from door import Door, usual_validity  # noqa: E402
from fault_session import FaultSession  # noqa: E402
from faults import FAULTS  # noqa: E402
from unlock import Narrator, present  # noqa: E402
from vault_client import VaultClient  # noqa: E402


class Presentation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with VaultClient(socket_path("LATCHKEY_ADMIN_SOCKET")) as admin:
            state = admin.call("status")["state"]
        if state != "unsealed":
            raise RuntimeError(f"the vault is {state}: these tests need it unsealed")
        cls.bench = Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.vault.close()


class Faults(Presentation):
    def test_every_fault_is_refused(self):
        for fault in FAULTS:
            with self.subTest(fault.name):
                session, answer = fault.run(self.bench)
                self.check_refusal(fault, answer)
                if session is not None:
                    self.check_session(fault, session, answer)

    def check_refusal(self, fault, answer):
        self.assertTrue(answer.refused, f"not refused: {answer}")
        self.assertIn(answer.label, fault.at, str(answer))
        self.assertIn(answer.code, fault.codes, str(answer))
        if answer.is_error:
            self.assertTrue(fault.may_be_error, f"an error instead of a result: {answer}")
            return
        self.assertEqual(answer.state, "failed", str(answer))
        self.assertNotIn("access_granted", answer.events)
        if fault.status_words:
            self.assertIn(answer.status_word, fault.status_words, str(answer))
            self.assertEqual(answer.data, b"", "data beside an error status word")
        else:
            self.assertEqual(answer.messages, [], "a message answers a broken one")

    def check_session(self, fault, session, answer):
        self.assertEqual(session.leaks, [])
        self.assertEqual(session.auth1_answered, fault.after_auth1,
                         "AUTH1 was answered" if session.auth1_answered else "AUTH1 never ran")
        if answer.is_error:
            return
        # A failed session stays failed, whatever comes next.
        again = session.auth0()
        self.assertTrue(again.is_error, str(again))
        self.assertEqual(again.code, "protocol_error", str(again))


class GoodRuns(Presentation):
    """The same bench must let a good reader in, or the refusals above prove nothing."""

    def run_good(self, intent="unsecure", **options):
        config = self.bench.door.reader_config(
            self.bench.credential, self.bench.signed, intent=intent, **options)
        reader, silent = Reader(config), Narrator()
        silent.say = lambda text: None
        events = present(self.bench.vault, self.bench.namespace, intent, reader, silent)
        self.assertIn("access_granted", [event["event"] for event in events])
        return reader

    def test_all_variants(self):
        for variant in ("direct", "loadcert", "auth1cert"):
            for identification in ("key", "slot"):
                for intent in ("unsecure", "secure"):
                    with self.subTest(f"{variant} {identification} {intent}"):
                        self.run_good(intent, variant=variant, identification=identification)

    def test_commands_without_le(self):
        self.run_good(variant="loadcert", with_le=False)

    def test_command_chaining(self):
        long = self.bench.door.certificate(
            issuer=b"i" * 32, subject=b"s" * 32, serial=b"\x7F" * 20)
        self.assertGreater(len(long), 186)   # so that AUTH1 needs two parts
        self.run_good(variant="auth1cert", certificate=long)
        self.run_good(variant="loadcert", certificate=long, chunk=100)

    def test_certificate_with_every_field(self):
        made = self.bench.door.certificate(
            issuer=b"Example Issuer", subject="Tür".encode(), serial=b"\xFF\x00",
            not_before=b"250101000000Z", not_after=b"360101000000Z")
        certificates.parse(made)
        self.run_good(variant="loadcert", certificate=made)

    def test_fast_asked_of_a_vault_then_standard(self):
        first = self.run_good(fast=True)
        self.run_good(fast=True, known_persistent_key=first.persistent_key)

    def test_unknown_tags_are_skipped(self):
        session = self.bench.session()
        session.good(session.auth0(tlv.encode_all(
            session.auth0_pairs() + [(0xAA, b"\x01\x02")])))
        signed = session.signature()
        session.good(session.auth1(data=tlv.encode_all(
            [(0x41, b"\x01"), (0x9E, signed), (0xAA, b"\x01")])))

    def test_get_data_is_refused_and_the_session_goes_on(self):
        session = self.bench.session()
        answer = session.apdu("GET DATA", bytes.fromhex("00CA7F6800"))
        self.assertEqual(answer.status_word, "6A88")
        self.assertEqual(answer.state, "awaiting_auth0")
        session.accepted()

    def test_busy_event_before_auth0(self):
        session = self.bench.session()
        answer = session.send("EVENT", bytes.fromhex("020000020000"))
        self.assertEqual(answer.events, ["busy"])
        session.accepted()

    def test_control_flow_ends_the_session(self):
        session = self.bench.session().begin()
        answer = session.apdu("CONTROL FLOW", bytes.fromhex("803C000006410100420100"))
        self.assertEqual(answer.status_word, "9000")
        after = session.auth1()
        self.assertTrue(after.refused, str(after))
        self.assertFalse(session.auth1_answered)

    def test_ephemeral_keys_are_fresh(self):
        keys = {self.bench.session().begin().transaction.device_ephemeral for _ in range(8)}
        self.assertEqual(len(keys), 8)


def take_socket_arguments() -> None:
    for option, name in (("--client-socket", "LATCHKEY_CLIENT_SOCKET"),
                         ("--admin-socket", "LATCHKEY_ADMIN_SOCKET")):
        if option in sys.argv:
            index = sys.argv.index(option)
            os.environ[name] = sys.argv[index + 1]
            del sys.argv[index:index + 2]


if __name__ == "__main__":
    take_socket_arguments()
    unittest.main()
