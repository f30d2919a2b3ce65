#!/usr/bin/env python3
"""Makes every call whose answer carries output of a key, and tells the audit numbers of the answers.

Takes an unsealed vault. Prints one JSON object a line for each answer that has a `seq`:
`{"method", "namespace", "seq"}`; the namespace is that which the call is about, named by the call or
not. An answer with a signature, a public key or messages for a reader and without a number is an
error.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import exchange  # noqa: E402
from bench import Bench, take_socket_arguments  # noqa: E402
from faults_sign import SignCall, advertise, match  # noqa: E402
from presenting import Silence, open_parameters, present  # noqa: E402
from vault_client import VaultClient, base64_text  # noqa: E402

OUTPUT = ("signature", "point", "messages")


class Recorded:
    """A client whose answers are told."""

    def __init__(self, inner: VaultClient):
        self._inner = inner
        self._presentations: dict = {}

    def call(self, method: str, params: dict) -> dict:
        result = self._inner.call(method, params)
        namespace = params.get("namespace") or self._presentations.get(params.get("presentation"))
        if "presentation" in result:
            self._presentations[result["presentation"]] = namespace
        if "seq" in result:
            print(json.dumps({"method": method, "namespace": namespace, "seq": result["seq"]}))
        elif any(name in result for name in OUTPUT):
            raise SystemExit(f"numbered_answers: {method} has no number: {result}")
        return result

    def close(self) -> None:
        self._inner.close()


def main() -> int:
    take_socket_arguments()
    bench = Bench()
    bench.vault = vault = Recorded(bench.vault)
    for purpose in ("presentation", "signing"):
        for _ in range(2):
            vault.call("key.public", {"namespace": bench.namespace, "purpose": purpose})
    for more in ({"message": base64_text(b"content")}, {"digest": base64_text(bytes(32))}):
        for form in ("der", "raw"):
            vault.call("key.sign", {"namespace": bench.namespace, "format": form, **more})
    known = None
    for transport in ("ble", "nfc"):
        reader = bench.reader(transport=transport)
        present(vault, bench.namespace, reader.config.intent, reader, Silence())
        known = reader.persistent_key
        reader = bench.reader(transport=transport, fast=True, known_persistent_key=known)
        present(vault, bench.namespace, reader.config.intent, reader, Silence())
    reader = bench.reader(intent="approach", ranging=True, exchanges=[exchange.Plan(ursk=True)])
    present(vault, bench.namespace, "approach", reader, Silence())
    SignCall(bench).call()
    match(bench, advertise(bench.door))
    opened = vault.call("presentation.open", open_parameters(bench.namespace, "ble"))
    vault.call("presentation.close", {"presentation": opened["presentation"]})
    vault.call("pass.delete", {"namespace": bench.namespace})
    return 0


if __name__ == "__main__":
    sys.exit(main())
