"""The fault suite against weakened vaults: each weakness must be noticed by its fault.

Without this, a fault suite that refuses nothing and one that checks everything look the
same. The vault here is the toy one, weakened in one place at a time.
"""

import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import fake_vault  # noqa: E402
import test_presentation_faults as suite  # noqa: E402
from aliro_reader import certificate, commands, crypto, tlv  # noqa: E402
from faults import FAULTS  # noqa: E402
from simulated_device import SimulatedDevice  # noqa: E402


def nothing(*_, **__) -> None:
    return None


def last_wins(octets: bytes, layout) -> dict:
    """A lenient TLV reader: any order, repeats allowed, lengths not looked at."""
    found = dict(tlv.decode_all(octets))
    missing = [field.tag for field in layout if field.required and field.tag not in found]
    if missing:
        raise tlv.TLVError(f"{missing} missing")
    return found


def ignore_counter(self, sealed: bytes, associated: bytes = b"") -> bytes:
    """A channel that tries old counters too, so that replays open."""
    for counter in range(4):
        try:
            nonce = self.direction + counter.to_bytes(4, "big")
            return crypto.AESGCM(self.key).decrypt(nonce, sealed, associated)
        except crypto.InvalidTag:
            continue
    raise crypto.CryptoError("no counter fits")


def second_certificate_allowed(self, data: bytes) -> bytes:
    self._take_certificate(data)
    return b""


def any_header(command: bytes, split=commands.split_command) -> tuple:
    """Takes every class and P1 P2 for the right ones."""
    _, ins, _, _, data = split(command)
    return 0x80, ins, 0, 0, data


# weakness -> (what is patched, names of faults that must notice)
WEAKNESSES = {
    "reader signature is not checked": (
        lambda: mock.patch.object(crypto, "verify_raw", nothing),
        ["reader signature with a flipped bit", "reader signature by another key",
         "reader signs the device's usage constant"]),
    "certificate is not checked": (
        lambda: mock.patch.object(certificate.ReaderCertificate, "verify", nothing),
        ["certificate by a foreign CA, by LOAD CERT", "certificate that has expired, inside AUTH1",
         "certificate with a changed subject, by LOAD CERT"]),
    "certificate fields are not checked": (
        lambda: mock.patch.object(certificate, "_check_fields", nothing),
        ["certificate that writes out its defaults, by LOAD CERT",
         "certificate with a date of 15 characters, by LOAD CERT"]),
    "points are not checked": (
        lambda: mock.patch.object(crypto, "load_point", nothing),
        ["reader key not on the curve", "reader key with x written above p"]),
    "TLV order and length are not checked": (
        lambda: mock.patch.object(tlv, "decode_known", last_wins),
        ["AUTH0 with tag 41 twice", "AUTH0 with 4C and 87 exchanged", "signature twice",
         "AUTH0 with a reader identifier of 31 octets"]),
    "counters are not kept": (
        lambda: mock.patch.object(crypto.HalfChannel, "open", ignore_counter),
        ["completion at counter 2", "completion at counter 0"]),
    "certificates may be replaced": (
        lambda: mock.patch.object(SimulatedDevice, "_on_load_cert", second_certificate_allowed),
        ["a second LOAD CERT"]),
    "P1 and class are not checked": (
        lambda: mock.patch.object(commands, "split_command", any_header),
        ["AUTH0 with P1 = 01", "unknown CLA", "AUTH1 with P1 = 01"]),
}


class FaultSuite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        path = cls.directory.name + "/v.sock"
        cls.server = fake_vault.Server(path, fake_vault.Handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        environment = {"LATCHKEY_CLIENT_SOCKET": path, "LATCHKEY_ADMIN_SOCKET": path}
        with mock.patch.dict("os.environ", environment):
            cls.bench = suite.Bench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.vault.close()
        cls.server.shutdown()
        cls.server.server_close()
        cls.directory.cleanup()

    def noticed(self, fault) -> bool:
        """Whether the suite's own checks object to this vault's behaviour."""
        checks = suite.Faults()
        try:
            session, answer = fault.run(self.bench)
            checks.check_refusal(fault, answer)
            if session is not None:
                checks.check_session(fault, session, answer)
        except AssertionError:
            return True
        return False

    def test_the_sound_vault_raises_no_objection(self):
        for fault in FAULTS:
            with self.subTest(fault.name):
                self.assertFalse(self.noticed(fault))

    def test_each_weakness_is_noticed(self):
        by_name = {fault.name: fault for fault in FAULTS}
        self.assertEqual(len(by_name), len(FAULTS), "two faults share a name")
        for weakness, (patch, names) in WEAKNESSES.items():
            for name in names:
                with self.subTest(f"{weakness}: {name}"), patch():
                    self.assertTrue(self.noticed(by_name[name]))


if __name__ == "__main__":
    unittest.main()
