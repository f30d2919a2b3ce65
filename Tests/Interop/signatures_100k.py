#!/usr/bin/env python3
"""Has the vault make many signatures in each format and verifies every one.

All of them go through `verify_signatures.py` while they are made, a sample also through the
`openssl` command.
"""

import argparse
import base64
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Iterator, List

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature  # noqa: E402

from vault_client import VaultClient  # noqa: E402
from vault_pipeline import Pipeline  # noqa: E402

KEYS = 4
SAMPLE = 20


class Wrong(Exception):
    """A signature is not what it must be."""


def message(number: int) -> bytes:
    """Distinct, of growing and falling length, the empty one included."""
    return f"{number:x}".encode() * (number % 7) + bytes(number % 11)


class Run:
    def __init__(self, path: str, count: int) -> None:
        self.path, self.count = path, count
        self.points: List[bytes] = []
        self.keys: List[bytes] = []
        with VaultClient(path) as vault:
            for number in range(KEYS):
                key = vault.call("key.public", {
                    "namespace": f"signatures/{number}", "purpose": "signing"})
                self.points.append(base64.b64decode(key["point"], validate=True))
                self.keys.append(base64.b64decode(key["spki"], validate=True))

    def calls(self, kind: str) -> Iterator[tuple]:
        for number in range(self.count):
            yield "key.sign", {
                "namespace": f"signatures/{number % KEYS}", "format": kind,
                "message": base64.b64encode(message(number)).decode()}

    def sign(self, kind: str, verifier) -> List[tuple]:
        """Makes the signatures of a format; returns the sample for the other oracle."""
        sample, last, started = [], 0, time.monotonic()
        step, done = max(self.count // SAMPLE, 1), 0
        with Pipeline(self.path) as pipeline:
            for number, answer in pipeline.run(self.calls(kind)):
                result = answer.get("result")
                if result is None or result["format"] != kind:
                    raise Wrong(f"call {number} was answered {answer}")
                signature = base64.b64decode(result["signature"], validate=True)
                if kind == "raw" and len(signature) != 64:
                    raise Wrong(f"call {number}: {len(signature)} octets of raw signature")
                text = message(number).hex() or "-"
                verifier.write(f"{kind} {text} {self.points[number % KEYS].hex()} "
                               f"{signature.hex()}\n")
                if number % step == 0:
                    sample.append((number, signature))
                done += 1
                if done - last >= 10_000:
                    last = done
                    rate = done / (time.monotonic() - started)
                    print(f"{kind}: {done} of {self.count}, {rate:.0f} a second", flush=True)
        return sample

    def check_sample(self, kind: str, sample: List[tuple]) -> None:
        with tempfile.TemporaryDirectory() as directory:
            folder = Path(directory)
            for number, signature in sample:
                if kind == "raw":
                    signature = encode_dss_signature(
                        int.from_bytes(signature[:32], "big"),
                        int.from_bytes(signature[32:], "big"))
                (folder / "key").write_bytes(self.keys[number % KEYS])
                (folder / "signature").write_bytes(signature)
                (folder / "message").write_bytes(message(number))
                subprocess.run(
                    ["openssl", "dgst", "-sha256", "-keyform", "DER", "-verify", "key",
                     "-signature", "signature", "message"],
                    cwd=folder, check=True, stdout=subprocess.DEVNULL)


def start_verifier() -> subprocess.Popen:
    script = Path(__file__).resolve().parent / "verify_signatures.py"
    return subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True, bufsize=1 << 20)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--client-socket", required=True)
    parser.add_argument("--admin-socket")
    parser.add_argument("--count", type=int, default=100_000, help="signatures of each format")
    arguments = parser.parse_args()
    run = Run(arguments.client_socket, arguments.count)
    for kind in ("der", "raw"):
        verifier = start_verifier()
        try:
            sample = run.sign(kind, verifier.stdin)
            said, _ = verifier.communicate()
            run.check_sample(kind, sample)
        except (Wrong, BrokenPipeError, subprocess.CalledProcessError) as error:
            verifier.kill()
            print(f"signatures: {kind}: {error}", file=sys.stderr)
            return 1
        if verifier.returncode or said.strip() != f"{arguments.count} signatures verified":
            print(f"signatures: {kind}: {said.strip()}", file=sys.stderr)
            return 1
        print(f"{kind}: {said.strip()}, {len(sample)} of them by openssl too", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
