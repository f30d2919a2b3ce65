#!/usr/bin/env python3
"""Opens a throw-away door with the vault as the credential holder, and says each step.

The console part makes the key and stores a pass; the gateway part only carries octets
between the vault and a reader that shares no code with it. Last line on success:
`access granted`.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cryptography.hazmat.primitives import serialization  # noqa: E402

from aliro_reader import (  # noqa: E402
    Reader, ReaderError, crypto, document, exchange, step_up)
from door import Door, mailbox_settings, usual_validity  # noqa: E402
from presenting import Failed, Narrator, present  # noqa: E402
from vault_client import (  # noqa: E402
    VaultClient, VaultError, WireError, base64_text, octets_of)

ELEMENTS = {"floor1": document.simple_element(), "floor2": document.simple_element()}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--client-socket", required=True, metavar="PATH")
    parser.add_argument("--admin-socket", required=True, metavar="PATH")
    parser.add_argument("--namespace", default="demo/front-door")
    parser.add_argument("--variant", choices=["direct", "loadcert", "auth1cert"],
                        default="loadcert", help="how the reader proves its key")
    parser.add_argument("--identification", choices=["key", "slot"], default="key")
    parser.add_argument("--intent", choices=["unsecure", "secure"], default="unsecure")
    parser.add_argument("--transport", choices=["ble", "nfc"], default="ble")
    parser.add_argument("--fast", action="store_true", help="a second, fast run after the first")
    parser.add_argument("--mailbox", action="store_true", help="reads and writes the mailbox")
    parser.add_argument("--step-up", action="store_true", help="asks for the documents")
    parser.add_argument("--approach", action="store_true",
                        help="BLE: the approach flow, with ranging set up")
    arguments = parser.parse_args()
    if arguments.approach and arguments.transport != "ble":
        parser.error("--approach is of BLE")
    if arguments.approach and arguments.intent == "secure":
        parser.error("in an approach the reader decides: --intent secure is of no use")
    return arguments


def check_unsealed(path: str) -> None:
    with VaultClient(path) as admin:
        state = admin.call("status")["state"]
    if state != "unsealed":
        raise Failed(f"the vault is {state}; unseal it first")


def public_key(vault: VaultClient, namespace: str, narrator: Narrator) -> bytes:
    result = vault.call("key.public", {"namespace": namespace})
    point = octets_of(result["point"])
    key = serialization.load_der_public_key(octets_of(result["spki"]))
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
    unlock_pass = door.unlock_pass(
        credential, valid_from, valid_until, elements=ELEMENTS, revocation=True,
        mailbox=mailbox_settings(), resolving=True, names_issuer=True)
    # A mailbox outlives a new pass with one of the same size; one of zeros is wanted here.
    vault.call("pass.store", {"namespace": namespace, "pass": door.unlock_pass(
        credential, valid_from, valid_until)})
    size = len(octets_of(unlock_pass["access_document"]))
    narrator.say(f"console -> vault   pass for that key: Access Document of {size} octets, "
                 "Revocation Document, mailbox, and one reader group")
    result = vault.call("pass.store", {"namespace": namespace, "pass": unlock_pass})
    for field, moment in (("signed", valid_from), ("valid_from", valid_from),
                          ("valid_until", valid_until)):
        if result[field] != document.time_text(moment):
            raise Failed(f"pass.store says {field} {result[field]}, "
                         f"the document says {document.time_text(moment)}")
    group = base64_text(door.group_identifier)
    if result["reader_groups"] != [group]:
        raise Failed("pass.store names other reader groups than the pass")
    narrator.say(f"vault -> console   pass stored, good until {result['valid_until']}")
    return valid_from


def reader_options(arguments: argparse.Namespace, door: Door, signed) -> dict:
    """What the reader is told of the pass, and what it is to do."""
    options = {
        "transport": arguments.transport, "identification": arguments.identification,
        "intent": "approach" if arguments.approach else arguments.intent,
        "revocation_time": document.time_text(signed),
        "mailbox": exchange.Mailbox(bytes(mailbox_settings()["size"]))}
    if arguments.approach:
        options |= {"ranging": True, "exchanges": [exchange.Plan(ursk=True)]}
    if arguments.mailbox:
        options["exchanges"] = options.get("exchanges", []) + [
            exchange.Plan([exchange.read(0, 16), exchange.write(4, b"latchkey"),
                           exchange.fill(32, 8, 0x2A)]),
            exchange.Plan([exchange.write(48, b"in two")], more=True),
            exchange.Plan([exchange.write(54, b" steps"), exchange.read(0, 48)]),
            exchange.Plan([exchange.read(0, 64)]),
            exchange.Plan([exchange.read(60, 16)], out_of_range=True)]
    if arguments.step_up:
        options["step_up"] = step_up.Request(
            {"aliro-a": ["floor1", "garage"], "aliro-r": ["revoked"]},
            crypto.point_of(door.issuer), held={"aliro-a": ["floor1"], "aliro-r": ["revoked"]})
    return options


def open_door(vault: VaultClient, arguments: argparse.Namespace, door: Door, credential: bytes,
              signed, narrator: Narrator) -> None:
    def reader(**changes) -> Reader:
        options = {**reader_options(arguments, door, signed), **changes}
        return Reader(door.reader_config(credential, signed, arguments.variant, **options))

    if not arguments.fast:
        check_events(present_once(vault, arguments, reader(), narrator), narrator)
        return
    narrator.say("reader             first a standard run, to make the key that fast runs use")
    first = reader(fast=True, exchanges=[], step_up=None, ranging=False)
    check_events(present_once(vault, arguments, first, narrator), narrator)
    narrator.say("reader             now the fast run")
    second = reader(fast=True, known_persistent_key=first.persistent_key,
                    always_auth1=arguments.step_up)     # step-up needs AUTH1
    check_events(present_once(vault, arguments, second, narrator), narrator)
    if not second.keyed:
        raise Failed("the second run was not a fast one")


def present_once(vault, arguments, reader: Reader, narrator: Narrator) -> list:
    return present(vault, arguments.namespace, reader.config.intent, reader, narrator)


def check_events(events: list, narrator: Narrator) -> None:
    for event in events:
        detail = f" ({event['detail']})" if event.get("detail") else ""
        narrator.say(f"vault -> gateway   event {event['event']}{detail}")
    names = [event["event"] for event in events]
    if names.count("access_granted") != 1 or {"failed", "error", "access_denied"} & set(names):
        raise Failed(f"the vault reports {', '.join(names) or 'no events'}")


def run(arguments: argparse.Namespace) -> None:
    narrator, door = Narrator(), Door()
    check_unsealed(arguments.admin_socket)
    with VaultClient(arguments.client_socket) as vault:
        credential = public_key(vault, arguments.namespace, narrator)
        signed = store_pass(vault, arguments.namespace, door, credential, narrator)
        open_door(vault, arguments, door, credential, signed, narrator)
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
