"""The relay's command line, its manual page, and whole runs against the simulated reader.

With `LATCHKEY_CLIENT_SOCKET` the runs are those of a real daemon; without, of the toy vault.
"""

import contextlib
import io
import json
import os
import re
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import fake_vault  # noqa: E402
from relay_bench import ROOT  # noqa: E402

from ble_relay import command, simulation  # noqa: E402
from ble_relay.outcome import Exit  # noqa: E402
from ble_relay.progress import printable  # noqa: E402

# What the toy vault lacks.
MORE_METHODS = {
    "presentation.close": lambda params, sessions: {"state": "closed", "seq": 1},
    "pass.delete": lambda params, _: {
        "deleted": fake_vault.NAMESPACES.pop(params["namespace"], None) is not None, "seq": 1},
}


def run(*arguments: str) -> tuple:
    """Exit code, standard output and standard error of the relay."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            code = command.main(list(arguments))
        except SystemExit as exit:
            code = exit.code
    return code, output.getvalue(), errors.getvalue()


@contextlib.contextmanager
def toy_vault():
    with tempfile.TemporaryDirectory() as directory, \
            mock.patch.dict(fake_vault.METHODS, MORE_METHODS), \
            mock.patch.dict(fake_vault.NAMESPACES, clear=True):
        with fake_vault.Server(f"{directory}/v.sock", fake_vault.Handler) as server:
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            yield server.server_address
            server.shutdown()


class Simulated(unittest.TestCase):
    """Whole unlocks through the same pump as with a radio."""

    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        real = os.environ.get("LATCHKEY_CLIENT_SOCKET")
        self.socket = real or stack.enter_context(toy_vault())

    def simulate(self, *arguments: str) -> tuple:
        return run("--simulate", "--socket", self.socket, *arguments)

    def test_the_door_opens_and_closes(self):
        for intent in ("unsecure", "secure", "unsecure"):    # again: nothing is left in the way
            code, output, errors = self.simulate("--intent", intent)
            self.assertEqual((code, errors), (0, ""))
            self.assertTrue(output.splitlines()[-1].startswith("access granted"), output)
            self.assertNotIn("warning", output)

    def test_each_line_is_json_when_asked(self):
        code, output, errors = self.simulate("--json", "--namespace", "demo/relay-json")
        self.assertEqual((code, errors), (0, ""))
        lines = [json.loads(line) for line in output.splitlines()]
        self.assertEqual((lines[-1]["progress"], lines[-1]["exit"]), ("ended", 0))
        events = [line["event"] for line in lines if line["progress"] == "event"]
        self.assertEqual(events[:2], ["reader_authenticated", "credential_presented"])
        self.assertEqual(events[-1], "access_granted")

    def test_a_namespace_in_use_is_left_alone(self):
        from vault_client import VaultClient
        with VaultClient(self.socket) as vault:
            before = vault.call("key.public", {"namespace": "demo/in-use"})
            code, _, errors = self.simulate("--namespace", "demo/in-use")
            after = vault.call("key.public", {"namespace": "demo/in-use"})
        self.assertEqual(code, Exit.CONFLICT, errors)
        self.assertEqual((after["point"], after["created"]), (before["point"], False))

    def test_a_lock_that_does_not_open_is_told(self):
        with mock.patch("aliro_reader.Reader.receive", side_effect=ValueError("broken lock")):
            code, output, errors = self.simulate()
        self.assertEqual(code, Exit.UNDECIDED)
        self.assertIn("ValueError: broken lock", output)
        self.assertIn("the reader closed the channel", errors)
        self.assertEqual(self.simulate()[0], 0)


class Boastful(unittest.TestCase):
    def test_a_vault_that_only_says_so_has_not_opened_the_door(self):
        boast = {"messages": [], "state": "finished", "seq": 1,
                 "events": [{"event": "access_granted"}]}
        with toy_vault() as path, mock.patch.dict(
                fake_vault.METHODS, {"presentation.exchange": lambda *_: boast}):
            code, _, errors = run("--simulate", "--socket", path)
        self.assertEqual(code, Exit.UNDECIDED)
        self.assertIn("the reader has not opened", errors)

    def test_a_key_that_stays_is_told(self):
        with toy_vault() as path, mock.patch.dict(fake_vault.METHODS):
            del fake_vault.METHODS["pass.delete"]
            code, output, _ = run("--simulate", "--socket", path)
        self.assertEqual(code, 0)
        self.assertIn("warning: the key and pass made for this run are still in", output)


class CommandLine(unittest.TestCase):
    def test_options_that_do_not_go_together(self):
        for words in ("--spsm 0x80 --address AA:BB:CC:DD:EE:FF --namespace x",
                      "--spsm 0x80 --versions 0100", "--address AA:BB:CC:DD:EE:FF",
                      "--address AA:BB:CC:DD:EE --namespace x", "--scan 0", "--scan nan",
                      "--reader-timeout -1", "--versions 01 --spsm 1", "--spsm 256 --versions 0100",
                      "--intent open", "--adapter ../x", "--simulate --intent approach", "extra",
                      "--simulate --user-confirmed", "--request secure",
                      "--simulate --address AA:BB:CC:DD:EE:FF --namespace x"):
            with self.subTest(words):
                code, output, errors = run(*words.split())
                self.assertEqual((code, output), (Exit.USAGE, ""))
                self.assertTrue(errors.startswith("ble-relay: "), errors)

    def test_no_vault(self):
        code, output, errors = run("--socket", "/nonexistent/v.sock")
        self.assertEqual((code, output), (Exit.UNAVAILABLE, ""))
        self.assertIn("cannot connect to the vault at /nonexistent/v.sock", errors)
        code, output, errors = run("--socket", "/nonexistent/v.sock", "--json")
        self.assertEqual(json.loads(output)["exit"], code)
        self.assertEqual(errors, "")

    def test_not_in_a_checkout(self):
        with toy_vault() as path, mock.patch.object(simulation, "INTEROP", Path("/nonexistent")):
            code, _, errors = run("--simulate", "--socket", path)
        self.assertEqual(code, Exit.UNAVAILABLE)
        self.assertIn("works in a checkout of the source only", errors)

    def test_an_interruption(self):
        with mock.patch.object(command, "run", side_effect=KeyboardInterrupt):
            self.assertEqual(run()[0], Exit.INTERRUPTED)

    def test_text_of_others_cannot_steer_a_terminal(self):
        self.assertEqual(printable("ä\x1b[2J\n\ud800\u202e"), "ä\\x1b[2J\\n\\ud800\\u202e")

    def test_the_manual_page_says_what_the_program_does(self):
        page = (ROOT / "tools" / "man" / "ble-relay.1").read_text()
        shown = dict(re.findall(r"^\.It (\d+)\n(.+)$", page, re.MULTILINE))
        self.assertEqual(shown, {str(int(exit)): exit.meaning for exit in Exit})
        options = set(re.findall(r"--([a-z-]+)", run("--help")[1]))
        self.assertEqual(set(re.findall(r"^\.It Fl -([a-z-]+)", page, re.MULTILINE)), options)
        self.assertIn("not been run on hardware", page)


if __name__ == "__main__":
    unittest.main()
