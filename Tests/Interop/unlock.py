#!/usr/bin/env python3
"""Opens a throw-away door with the vault as the credential holder, and says each step.

The console part makes the key and stores a pass; the gateway part only carries octets
between the vault and a reader that shares no code with it. Last line on success:
`access granted`.
"""

import argparse
import base64
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cryptography.hazmat.primitives import serialization  # noqa: E402

from aliro_reader import Reader, ReaderError, document  # noqa: E402
from door import Door, usual_validity  # noqa: E402
from vault_client import VaultClient, VaultError, WireError  # noqa: E402

VERSION = b"\x01\x00"


class Failed(Exception):
    """The run did not end as it should; the text is for the person who started it."""


class Narrator:
    def __init__(self) -> None:
        self.number = 0

    def say(self, text: str) -> None:
        self.number += 1
        print(f"{self.number:2}. {text}", flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--client-socket", required=True, metavar="PATH")
    parser.add_argument("--admin-socket", required=True, metavar="PATH")
    parser.add_argument("--namespace", default="demo/front-door")
    parser.add_argument("--variant", choices=["direct", "loadcert", "auth1cert"],
                        default="loadcert", help="how the reader proves its key")
    parser.add_argument("--identification", choices=["key", "slot"], default="key")
    parser.add_argument("--intent", choices=["unsecure", "secure"], default="unsecure")
    return parser.parse_args()


def check_unsealed(path: str) -> None:
    with VaultClient(path) as admin:
        state = admin.call("status")["state"]
    if state != "unsealed":
        raise Failed(f"the vault is {state}; unseal it first")


def public_key(vault: VaultClient, namespace: str, narrator: Narrator) -> bytes:
    result = vault.call("key.public", {"namespace": namespace})
    point = base64.b64decode(result["point"], validate=True)
    key = serialization.load_der_public_key(base64.b64decode(result["spki"], validate=True))
    same = key.public_bytes(serialization.Encoding.X962,
                            serialization.PublicFormat.UncompressedPoint)
    if same != point:
        raise Failed("point and spki of key.public are different keys")
    made = "new key" if result["created"] else "existing key"
    narrator.say(f"vault -> console   credential public key of {namespace} ({made}, version "
                 f"{result['version']}), {len(point)} octets: {point.hex()}")
    return point


def store_pass(vault: VaultClient, namespace: str, door: Door, credential: bytes,
               narrator: Narrator):
    valid_from, valid_until = usual_validity()
    unlock_pass = door.unlock_pass(credential, valid_from, valid_until)
    size = len(base64.b64decode(unlock_pass["access_document"]))
    narrator.say(f"console -> vault   pass for that key, Access Document of {size} octets and "
                 "one reader group")
    result = vault.call("pass.store", {"namespace": namespace, "pass": unlock_pass})
    for field, moment in (("signed", valid_from), ("valid_from", valid_from),
                          ("valid_until", valid_until)):
        if result[field] != document.time_text(moment):
            raise Failed(f"pass.store says {field} {result[field]}, "
                         f"the document says {document.time_text(moment)}")
    group = base64.b64encode(door.group_identifier).decode()
    if result["reader_groups"] != [group]:
        raise Failed("pass.store names other reader groups than the pass")
    narrator.say(f"vault -> console   pass stored, good until {result['valid_until']}")
    return valid_from


def present(vault: VaultClient, namespace: str, intent: str, reader: Reader,
            narrator: Narrator) -> list:
    """Carries messages until the vault has nothing more to say; returns its events."""
    opened = vault.call("presentation.open", {
        "namespace": namespace, "transport": "ble", "intent": intent,
        "reader_versions": base64.b64encode(VERSION).decode(),
        "version": base64.b64encode(VERSION).decode()})
    check_refusal(opened)
    state, events = opened["state"], list(opened["events"])
    queue = list(opened["messages"])
    told = 0
    while queue:
        try:
            replies = reader.receive(base64.b64decode(queue.pop(0), validate=True))
        finally:
            for step in reader.transcript[told:]:
                narrator.say(str(step))
            told = len(reader.transcript)
        for reply in replies:
            result = vault.call("presentation.exchange", {
                "presentation": opened["presentation"],
                "message": base64.b64encode(reply).decode()})
            check_refusal(result)
            state = result["state"]
            events += result["events"]
            queue += result["messages"]
    if state != "finished" or not reader.finished:
        raise Failed(f"the run stopped: vault {state}, reader {reader.state}")
    return events


def check_refusal(result: dict) -> None:
    if "refusal" in result:
        refusal = result["refusal"]
        word = f", status word {result['status_word']}" if "status_word" in result else ""
        raise Failed(f"the vault refuses: {refusal['code']}: {refusal['message']}{word}")


def run(arguments: argparse.Namespace) -> None:
    narrator, door = Narrator(), Door()
    check_unsealed(arguments.admin_socket)
    with VaultClient(arguments.client_socket) as vault:
        credential = public_key(vault, arguments.namespace, narrator)
        signed = store_pass(vault, arguments.namespace, door, credential, narrator)
        reader = Reader(door.reader_config(
            credential, signed, arguments.variant, identification=arguments.identification,
            intent=arguments.intent))
        events = present(vault, arguments.namespace, arguments.intent, reader, narrator)
    for event in events:
        detail = f" ({event['detail']})" if event.get("detail") else ""
        narrator.say(f"vault -> gateway   event {event['event']}{detail}")
    names = [event["event"] for event in events]
    if names.count("access_granted") != 1 or {"failed", "error", "access_denied"} & set(names):
        raise Failed(f"the vault reports {', '.join(names) or 'no events'}")
    print("access granted")


def main() -> int:
    try:
        run(parse_arguments())
    except (Failed, ReaderError, VaultError, WireError) as error:
        print(f"unlock: {error}", file=sys.stderr)
    except (KeyError, ValueError) as error:
        print(f"unlock: an answer of the vault is not in the agreed form: {error!r}",
              file=sys.stderr)
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
