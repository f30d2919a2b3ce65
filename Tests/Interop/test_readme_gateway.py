"""The gateway that the README shows does what the README says.

Its code is taken out of the README and run against the simulated lock, with a real daemon if
`LATCHKEY_CLIENT_SOCKET` names one, else with the toy vault.
"""

import base64
import os
import re
import socket
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import Reader  # noqa: E402
from door import Door, usual_validity  # noqa: E402
from relay_bench import ROOT  # noqa: E402
from test_ble_relay_command import toy_vault  # noqa: E402
from vault_client import VaultClient  # noqa: E402

from ble_relay.simulation import SimulatedLock  # noqa: E402

VERSION = b"\x01\x00"
NAMESPACE = "demo/readme"


def code_of_readme() -> str:
    section = (ROOT / "README.md").read_text().split("\n## Writing a gateway\n")[1]
    blocks = re.findall(r"^```python\n(.*?)^```$", section.split("\n## ")[0],
                        re.MULTILINE | re.DOTALL)
    if len(blocks) != 1:
        raise AssertionError(f"the section has {len(blocks)} blocks of Python")
    return blocks[0]


class ReadmeGateway(unittest.TestCase):
    def setUp(self):
        path = os.environ.get("LATCHKEY_CLIENT_SOCKET")
        self.path = path or self.enterContext(toy_vault())
        names = {}
        exec(compile(code_of_readme(), "README.md", "exec"), names)
        self.unlock = names["unlock"]
        self.door = Door()
        with VaultClient(self.path) as vault:
            answer = vault.call("key.public", {"namespace": NAMESPACE})
            self.credential = base64.b64decode(answer["point"])
            self.signed, until = usual_validity()
            vault.call("pass.store", {
                "namespace": NAMESPACE,
                "pass": self.door.unlock_pass(self.credential, self.signed, until)})

    def run_with(self, reader) -> bool:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        lock = SimulatedLock(theirs, reader)
        lock.start()
        try:
            return self.unlock(ours, NAMESPACE, VERSION, VERSION, self.path)
        finally:
            lock.join(20)
            self.assertFalse(lock.is_alive(), "the channel is still open")

    def reader(self, door=None, **options):
        return Reader((door or self.door).reader_config(
            self.credential, self.signed, "loadcert", **options))

    def test_it_opens_a_door(self):
        reader = self.reader()
        self.assertTrue(self.run_with(reader))
        self.assertTrue(reader.finished)

    def test_it_opens_no_door_that_the_pass_does_not_name(self):
        self.assertFalse(self.run_with(self.reader(Door())))

    def test_it_ends_when_the_reader_goes(self):
        class Leaving:
            def receive(self, _):
                raise ConnectionError("gone")

        self.assertFalse(self.run_with(Leaving()))

    def test_it_leaves_a_silent_reader_without_a_word(self):
        class Hasty(socket.socket):
            def settimeout(self, _):
                super().settimeout(0.01)

        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.assertRaises(TimeoutError, self.unlock, Hasty(fileno=ours.detach()), NAMESPACE,
                              VERSION, VERSION, self.path)
            self.assertEqual(theirs.recv(4096)[:2], b"\x02\x06")
            self.assertEqual(theirs.recv(4096), b"")

    def test_it_tells_what_the_vault_has_against_it(self):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, self.assertRaises(RuntimeError):
            self.unlock(ours, "Not A Name", VERSION, VERSION, self.path)


if __name__ == "__main__":
    unittest.main()
