"""The fault suite against weakened vaults: each weakness must be noticed by its fault.

Without this, a fault suite that refuses nothing and one that checks everything look the same. The
vault here is the toy one, weakened in one place at a time: each rule of the simulated device left
out (`Rules`), and deeper mistakes in its cryptography and parsing (`WEAKNESSES`).
"""

import ast
import dataclasses
import sys
import tempfile
import threading
import unittest
from collections import defaultdict
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import fake_vault  # noqa: E402
import simulated_auth  # noqa: E402
import test_presentation_faults as suite  # noqa: E402
import test_presentation_services as services  # noqa: E402
import test_presentation_sign as signing  # noqa: E402
from aliro_reader import Reader, certificate, commands, crypto, tlv  # noqa: E402
from bench import Bench  # noqa: E402
from faults import FAULTS  # noqa: E402
from faults_sign import MATCH_FAULTS, SIGN_FAULTS  # noqa: E402
from mutant_runs import RUNS  # noqa: E402
from negative_tables import stages_with_faults  # noqa: E402
from simulated_rules import BROKEN, IGNORED  # noqa: E402
from vectors import pump  # noqa: E402

HERE = Path(__file__).resolve().parent
# Rules whose breach is answered in the session; the tests that must notice when they are left out.
ANSWERED = {
    "mailbox ranges are inside, and answers have a limit":
        (services.Mailbox, "test_ranges_are_checked_before_anything_is_done"),
    "a DeviceRequest is CBOR":
        (services.StepUp, "test_requests_that_are_none_show_nothing_and_leave_the_session"),
    "a DeviceRequest is a valid one":
        (services.StepUp, "test_requests_that_are_none_show_nothing_and_leave_the_session"),
}
ENOUGH = 12     # faults tried for one weakness


def all_rules() -> set:
    """The names in every `require` and `strictly` of the simulated device and the toy vault."""
    found = set()
    for path in [*HERE.glob("simulated_*.py"), HERE / "fake_sign.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                    "require", "strictly") and isinstance(node.args[1], ast.Constant):
                found.add(node.args[1].value)
    return found


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


def identifying_decoy(device) -> bytes:
    """A fast answer for unknown readers that tells them who is there."""
    return crypto.point_of(device.config.credential)[1:33] + bytes(32)


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
        ["completion at counter 2", "completion at counter 0", "EXCHANGE sent twice",
         "ENVELOPE at counter 0", "fast: EXCHANGE at counter 2"]),
    "unknown readers learn the credential key": (
        lambda: mock.patch.object(simulated_auth, "_cryptogram", identifying_decoy),
        ["fast, unknown reader: EXCHANGE"]),
    "unknown readers have no channels": (
        lambda: mock.patch.object(
            simulated_auth, "_cryptogram", lambda device: crypto.random_octets(64)),
        ["fast, unknown reader: EXCHANGE of junk", "fast, unknown group: EXCHANGE in parts"]),
    "the AUTH1 answer is not encrypted": (
        lambda: mock.patch.object(crypto.Channel, "seal", lambda self, plaintext: plaintext),
        ["a second AUTH1"]),
    "P1 and class are not checked": (
        lambda: mock.patch.object(commands, "split_command", any_header),
        ["AUTH0 with P1 = 01", "unknown CLA", "AUTH1 with P1 = 01",
         "GET RESPONSE with P1 = 01", "EXCHANGE apdu: class A0"]),
}


class FaultSuite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        path = cls.directory.name + "/v.sock"
        cls.server = fake_vault.Server(path, fake_vault.Handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        environment = {"LATCHKEY_CLIENT_SOCKET": path, "LATCHKEY_ADMIN_SOCKET": path}
        cls.environment = mock.patch.dict("os.environ", environment)
        cls.environment.start()
        cls.bench = Bench()
        cls.probes = dict(cls.all_probes())

    @classmethod
    def tearDownClass(cls):
        cls.bench.vault.close()
        cls.environment.stop()
        cls.server.shutdown()
        cls.server.server_close()
        cls.directory.cleanup()

    @classmethod
    def all_probes(cls):
        """Everything the suite tries, by name: calls that raise when the vault is wrong."""
        faults, sign, match = suite.Faults(), signing.Sign(), signing.Match()
        for case in (faults, sign, match):
            case.bench = cls.bench
        for fault in FAULTS:
            for transport in fault.transports:
                def probe(fault=fault, transport=transport):
                    cls.bench.transport = transport
                    faults.check(fault, *fault.run(cls.bench))
                yield (fault.name if transport == fault.transports[0] else
                       f"{fault.name}, over {transport}"), probe
        for name, attempt, codes in SIGN_FAULTS:
            yield name, lambda a=attempt, c=codes: sign.check_sign(a, c)
        for name, attempt, codes in MATCH_FAULTS:
            yield name, lambda a=attempt, c=codes: match.check_match(a, c)
        for rule, (case, test) in ANSWERED.items():
            yield rule, lambda case=case, test=test: cls.run_test(case, test)

    @classmethod
    def run_test(cls, case, test):
        """One test of another suite, on this bench."""
        result = unittest.TestResult()
        with mock.patch.object(case, "bench", cls.bench, create=True):
            case(test).run(result)
        if not result.wasSuccessful():
            raise AssertionError(result.failures + result.errors)

    def noticed(self, name: str) -> bool:
        """Whether the suite's own checks object to this vault's behaviour."""
        try:
            self.probes[name]()
        except AssertionError:
            return True
        except Exception as error:      # a weak toy may break down, which is not to notice it
            self.last_breakdown = error
        return False

    def test_1_the_sound_vault_raises_no_objection(self):
        """Also finds which rules each fault breaks."""
        type(self).breakers = defaultdict(list)
        for name, probe in self.probes.items():
            with self.subTest(name):
                BROKEN.clear()
                probe()
                for rule in BROKEN:
                    self.breakers[rule].append(name)

    def test_2_every_rule_is_broken_by_a_fault_and_its_absence_is_noticed(self):
        rules = all_rules()
        self.assertLessEqual(set(self.breakers), rules)
        for rule in sorted(rules):
            with self.subTest(rule):
                names = self.breakers.get(rule, [])
                self.assertTrue(names, "no fault breaks this rule")
                try:
                    IGNORED.add(rule)
                    seen = any(self.noticed(name) for name in names[:ENOUGH])
                finally:
                    IGNORED.clear()
                self.assertTrue(seen, f"left out, and none of {names[:ENOUGH]} minds")

    def test_4_every_stage_of_the_reader_is_spoiled(self):
        """Whatever the good reader sends, some fault sends it otherwise."""
        seen = set()

        def note(stage, value):
            seen.add(stage)
            return value
        for make in RUNS.values():
            reader, device = make(lambda stage, value: value)
            again = Reader(dataclasses.replace(reader.config, alter=note))
            pump(again, device)
            self.assertTrue(again.finished)
        spoiled = stages_with_faults(fault.name for fault in FAULTS)
        # A part of a chained command has the stages of the command itself.
        self.assertEqual({stage for stage in seen if " part " not in stage} - spoiled, set())

    def test_3_each_weakness_is_noticed(self):
        for weakness, (patch, names) in WEAKNESSES.items():
            for name in names:
                with self.subTest(f"{weakness}: {name}"), patch():
                    self.assertTrue(self.noticed(name))


if __name__ == "__main__":
    unittest.main()
