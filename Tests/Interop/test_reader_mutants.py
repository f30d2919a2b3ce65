"""Seeded faults: each mutant of a good device must be refused, and each rule must refuse one.

A rule of the reader is a `raise` in its checking modules. The table of rules and the mutants that
each of them refused is made by running every mutant; `--table` prints it.
"""

import ast
import sys
import unittest
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import mutants_session  # noqa: E402,F401  (importing registers the mutants)
from aliro_reader import ble, reader as reader_module  # noqa: E402
from aliro_reader.reader import ReaderError  # noqa: E402
from mutant_runs import LONG_ANSWER, RUNS  # noqa: E402
from mutants import MUTANTS  # noqa: E402
from vectors import private, pump, vector_pair  # noqa: E402

PACKAGE = Path(reader_module.__file__).resolve().parent
# Not for devices: the reader's own certificates, and what a reader could only write itself.
NO_RULES = {"certificate.py", "passes.py", "advertisement.py"}
NOT_FOR_DEVICES = {"apdu", "encode_length", "salt", "split_command", "_nonce", "__init__",
                   "verify_der", "verify_raw", "_check_encoded"}


def rules() -> dict:
    """(file, first line, last line) -> the rule in words, of every `raise` for a device's sake."""
    found = {}
    for path in sorted(PACKAGE.glob("*.py")):
        if path.name in NO_RULES:
            continue
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef) or function.name in NOT_FOR_DEVICES:
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Raise):
                    words = ast.unparse(node.exc.args[0])
                    place = (str(path), node.lineno, node.end_lineno)
                    found[place] = f"{path.stem}.{function.name}: {words}"
    return found


def raised_at(error: BaseException) -> list:
    """Where an exception and those behind it were raised."""
    places = []
    while error is not None:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is not None:
            places.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        error = error.__cause__ or error.__context__
    return places


# --- mutants that no single stage can make ----------------------------------------------------

def _echo(reader, device):
    device.config.ephemeral = reader.config.ephemeral


def _another_credential(_, device):
    device.config.credential = private("wrongReader")


def _long_answers(_, device):
    device.config.answer_limit = LONG_ANSWER


PREPARED = {
    "the reader's own ephemeral key comes back": _echo,
    "another credential": _another_credential,
    "answers longer than may be": _long_answers,
}


class Spoiled:
    """Runs one mutant in one run; `error` is how the reader refused it."""

    def __init__(self, make, mutant=None, prepare=None):
        self.reached, self.error = mutant is None, None

        def alter(stage, value):
            if mutant is None or stage != mutant.stage:
                return value
            changed = mutant.change(value)
            # A channel or mailbox is changed in place; of octets and lists some are left alone.
            in_place = not isinstance(value, (bytes, list, tuple, dict))
            # By how they are written: False equals 0, and maps of another order are equal.
            self.reached |= in_place or repr(changed) != repr(value)
            return changed
        self.reader, self.device = make(alter)
        if prepare:
            prepare(self.reader, self.device)
        try:
            pump(self.reader, self.device)
        except ReaderError as error:
            self.error = error


class Mutants(unittest.TestCase):
    table = defaultdict(set)

    @classmethod
    def note(cls, name: str, error: ReaderError) -> None:
        for place in raised_at(error):
            cls.table[place].add(name)

    def check(self, name, spoiled):
        self.assertIsNotNone(spoiled.error, "the reader lets it in")
        self.assertEqual(spoiled.reader.state, "failed")
        self.assertTrue(str(spoiled.error).strip())
        self.note(name, spoiled.error)

    def test_1_every_mutant_is_refused_wherever_it_shows(self):
        for name, mutant in MUTANTS.items():
            shown = 0
            for run, make in RUNS.items():
                with self.subTest(f"{run}, {name}"):
                    spoiled = Spoiled(make, mutant)
                    if spoiled.reached:
                        shown += 1
                        self.check(name, spoiled)
            self.assertTrue(shown, f"no run reaches {name}")

    def test_2_mutants_of_the_whole_device_are_refused(self):
        for name, prepare in PREPARED.items():
            for run, make in RUNS.items():
                if prepare is _long_answers and "complete" not in run:
                    continue
                with self.subTest(f"{run}, {name}"):
                    self.check(name, Spoiled(make, prepare=prepare))

    def test_3_a_failed_or_finished_reader_takes_nothing_more(self):
        failed = Spoiled(RUNS["BLE standard"], MUTANTS["rke-message: GCM tag"])
        done = Spoiled(RUNS["BLE standard"])
        self.assertTrue(done.reader.finished)
        for reader in (failed.reader, done.reader):
            try:
                reader.receive(ble.Message(2, 4, bytes(19)).encode())
            except ReaderError as error:    # assertRaises would drop where it was raised
                self.note("a message behind the end", error)
            else:
                self.fail("a message behind the end was taken")

    def test_4_every_rule_refuses_a_mutant(self):
        """Tests run in the order of their names: the table is complete by now."""
        for rule, mutants in self.rule_table().items():
            with self.subTest(rule):
                self.assertTrue(mutants, "no mutant is refused by this rule")

    @classmethod
    def rule_table(cls) -> dict:
        return {words: sorted(
            name for (shown, line), names in cls.table.items() for name in names
            if shown == path and first <= line <= last)
            for (path, first, last), words in rules().items()}

    @classmethod
    def tearDownClass(cls):
        if "--table" in TABLE:
            for rule, mutants in cls.rule_table().items():
                print(rule, *(f"    {mutant}" for mutant in mutants), sep="\n")


class GoodRuns(unittest.TestCase):
    """Every variant must pass, or the mutants would be refused for no reason."""

    def check_good(self, reader, device, granted=True):
        pump(reader, device)
        self.assertTrue(reader.finished)
        self.assertEqual("access_granted" in [event["event"] for event in device.events], granted)
        return reader

    def run_good(self, **changes):
        return self.check_good(*vector_pair(2, **changes))

    def test_the_runs_of_the_mutants(self):
        for name, make in RUNS.items():
            with self.subTest(name):
                self.check_good(*make(lambda stage, value: value), "gives up" not in name)

    def test_all_variants(self):
        for transport in ("ble", "nfc"):
            for variant in ("loadcert", "auth1cert"):
                for identification in ("key", "slot"):
                    for intent in ("secure", "unsecure"):
                        with self.subTest(f"{transport} {variant} {identification} {intent}"):
                            self.run_good(transport=transport, variant=variant, intent=intent,
                                          identification=identification)

    def test_reader_key_held_directly(self):
        self.run_good(variant="direct", signing_key=private("readerIssuerCA"))

    def test_chaining_no_le_and_two_versions(self):
        self.run_good(variant="auth1cert", chunk=100)
        self.run_good(variant="loadcert", chunk=16)
        self.run_good(with_le=False)
        self.run_good(versions=bytes.fromhex("01000009"))

    def test_a_cryptogram_that_is_not_keyed_leads_to_auth1(self):
        for changes in ({}, {"known_persistent_key": bytes(32)}):
            reader = self.run_good(fast=True, **changes)
            self.assertTrue(reader.authenticated)
            self.assertFalse(reader.keyed)
        reader, device = vector_pair(1)
        device.config.persistent.clear()
        self.check_good(reader, device)
        self.assertTrue(reader.authenticated)

    def test_auth1_after_a_good_cryptogram_makes_a_new_key(self):
        reader, device = vector_pair(1, always_auth1=True)
        self.check_good(reader, device)
        self.assertTrue(reader.keyed and reader.authenticated)
        self.assertNotEqual(reader.persistent_key, reader.config.known_persistent_key)
        self.assertEqual(device.config.persistent[reader.config.reader_identifier],
                         reader.persistent_key)

    def test_a_busy_event_is_waited_out(self):
        reader, device = vector_pair(0)
        self.assertEqual(reader.receive(bytes.fromhex("020000020000")), [])
        self.check_good(reader, device)

    def test_versions_and_keys_do_not_mix(self):
        reader, device = vector_pair(0)
        device.config.versions = bytes.fromhex("01000009")
        pump(reader, device)
        self.assertFalse(reader.finished)
        self.assertEqual(device.refusal.code, "protocol_error")

    def test_a_replayed_request_is_refused(self):
        reader, device = vector_pair(0, step_up_late=True)
        request = [message for message in pump(reader, device) if message[:2] == b"\x02\x04"][0]
        self.assertRaises(ReaderError, reader.receive, request)


TABLE = [argument for argument in sys.argv if argument == "--table"]

if __name__ == "__main__":
    sys.argv = [argument for argument in sys.argv if argument not in TABLE]
    unittest.main()
