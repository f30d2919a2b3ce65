"""The memory scanner finds what it must find, or its silence about the vault means nothing."""

import base64
import json
import os
import secrets
import subprocess
import sys
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

# Reads one line of hex, keeps its octets in memory, and answers when they are there. The hex is
# read into a buffer that is overwritten.
HOLDER = """
import os, sys
buffer = bytearray(1 << 16)
count = os.readv(0, [buffer])
held = bytearray(1 << 20)
at = 12345
for index in range(0, count - 1, 2):
    held[at + index // 2] = ("0123456789abcdef".index(chr(buffer[index])) << 4
                             | "0123456789abcdef".index(chr(buffer[index + 1])))
buffer[:] = bytes(len(buffer))
os.write(1, b"ready\\n")
os.read(0, 1)
"""


def find(secret: bytes, held: bytes) -> list:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    try:
        holder.stdin.write(held.hex().encode() + b"\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == b"ready\n"
        result = subprocess.run(
            [sys.executable, str(FOLDER / "memory_scan.py"), str(holder.pid)],
            input=json.dumps({"secret": secret.hex()}).encode(), stdout=subprocess.PIPE,
            check=True)
        return json.loads(result.stdout)["hits"]
    finally:
        holder.stdin.close()
        holder.wait()
        holder.stdout.close()


@unittest.skipUnless(os.geteuid() == 0, "reading another process's memory needs root")
class Scanner(unittest.TestCase):
    @staticmethod
    def secret() -> bytes:
        """No zeros: unused memory around a spoiled copy must not mend it."""
        return bytes(1 + secrets.randbelow(255) for _ in range(32))

    def test_finds_every_form_of_either_half_in_either_order(self):
        secret = self.secret()
        for order in (secret, secret[::-1]):
            for part in (order[:16], order[16:], order):
                forms = {"octets": part, "hex": part.hex().encode(),
                         "upper hex": part.hex().upper().encode()}
                for shift in range(3):
                    text = base64.b64encode(b"xyz"[:shift] + part + b"tail")
                    forms[f"base64 at {shift}"] = text
                    forms[f"url base64 at {shift}"] = text.translate(bytes.maketrans(b"+/", b"-_"))
                for name, held in forms.items():
                    with self.subTest(name, octets=len(part)):
                        self.assertTrue(find(secret, held))

    def test_finds_a_secret_at_any_alignment_and_none_that_is_not_there(self):
        secret = self.secret()
        for shift in range(8):
            with self.subTest(shift):
                self.assertTrue(find(secret, bytes(shift) + secret))
        self.assertEqual(find(secret, secrets.token_bytes(64)), [])
        self.assertEqual(find(secret, secret[:15] + bytes(2) + secret[17:31]), [])


if __name__ == "__main__":
    unittest.main()
