"""Mutants of what comes behind the keys: answers in parts, EXCHANGE, step-up, ranging, the end."""

import cbor2

from aliro_reader import ble, crypto, document, step_up, tlv
from mutants import at, channel_mistakes, each, flip
from vectors import SIGNED, VECTORS, octets, private, public


def _sealed(stage: str) -> None:
    each(stage, {"GCM tag": lambda m: flip(m, -1), "ciphertext": lambda m: flip(m, 0),
                 "tag cut off": lambda m: m[:-16], "empty": lambda m: b"",
                 "in parts of another message": lambda m: m[1:] + m[:1]})


def _parts() -> None:
    def word(change):
        return lambda part: (part[0], f"61{change(int(part[1][2:], 16)) & 0xFF:02X}")

    each("part", {
        "announces one octet more": word(lambda left: left + 1),
        "announces one octet less": word(lambda left: left - 1),
        "announces an unknown rest": lambda part: (part[0], "6100"),
        "says there is no more": lambda part: (part[0], "9000"),
        "loses an octet": lambda part: (part[0][:-1], part[1]),
    })
    each("rest", {
        "empty": lambda rest: b"",
        "cut short": lambda rest: rest[:-1],
        "octet behind": lambda rest: rest + b"\x00",
        "longer than an answer": lambda rest: rest + bytes(300),
    })


def _exchange() -> None:
    _sealed("exchange-sealed")
    # One good answer is: a read of 4 octets, then the result.
    each("exchange-plaintext", {
        "result 0001": lambda m: m[:-1] + b"\x01",
        "result FFFF": lambda m: m[:-2] + b"\xFF\xFF",
        "no result": lambda m: m[:-4],
        "result of one octet": lambda m: m[:-4] + b"\x00\x01\x00",
        "result length": lambda m: m[:-3] + b"\x03" + m[-2:],
        "octet behind": lambda m: m + b"\x00",
        "an answer to a read nobody asked": lambda m: b"\x00\x01\xAA" + m,
        "empty": lambda m: b"",
    })

    def reads(change):
        """Only where there was a read; the others stay as they are."""
        return lambda m: change(m) if len(m) > 4 else m

    each("exchange-plaintext", {
        "read data": reads(lambda m: flip(m, 2)),
        "read of one octet less": reads(lambda m: b"\x00\x03" + m[2:5] + m[6:]),
        "read length": reads(lambda m: flip(m, 1)),
        "read left out": reads(lambda m: m[-4:]),
        "read twice": reads(lambda m: m[:-4] + m),
        "result before the read": reads(lambda m: m[-4:] + m[:-4]),
    })

    def forgets(box):
        """Only once something was written there."""
        box.contents[8] ^= 1 if box.contents[8] else 0
        return box
    at("mailbox", "a write is not kept as written")(forgets)


def _documents() -> None:
    def entry(change):
        """Changes a copy of a decoded document."""
        def apply(decoded):
            changed = cbor2.loads(cbor2.dumps(decoded))
            change(changed)
            return changed
        return apply

    def signature(index):
        def change(decoded):
            decoded["1"]["2"][3] = flip(decoded["1"]["2"][3], index)
        return entry(change)

    def spoil_item(decoded):
        for kind, items in decoded["1"]["1"].items():
            items[0] = cbor2.CBORTag(24, flip(items[0].value, -1))

    def spoil_payload(decoded):
        decoded["1"]["2"][2] = decoded["1"]["2"][2].replace(b"SHA-256", b"SHA-257")

    def resign(decoded, key):
        payload = decoded["1"]["2"][2]
        decoded["1"]["2"][3] = crypto.sign_raw(key, document.signature_input(payload))

    def another_issuer(decoded):
        decoded["1"]["2"][1][4] = document.issuer_kid(public("wrongReader"))
        resign(decoded, private("wrongReader"))

    def another_device(decoded):
        """Signed by the issuer, for somebody else's key (or for one, where none belongs)."""
        payload = cbor2.loads(cbor2.loads(decoded["1"]["2"][2]).value)
        payload["4"] = {"1": document.cose_key(public("wrongReader"))}
        payload["6"] = {name: cbor2.CBORTag(0, SIGNED) for name in "123"}
        decoded["1"]["2"][2] = cbor2.dumps(cbor2.CBORTag(24, cbor2.dumps(payload)))
        resign(decoded, private("credentialIssuer"))

    def set_key(*path):
        *before, last, value = path

        def change(decoded):
            for key in before:
                decoded = decoded[key]
            decoded[last] = value
        return entry(change)

    each("document", {
        "signature r": signature(0), "signature s": signature(63),
        "an item altered": entry(spoil_item), "the security object altered": entry(spoil_payload),
        "another issuer": entry(another_issuer),
        "signed by another key": entry(lambda d: resign(d, private("wrongReader"))),
        "another device key": entry(another_device),
        "issuer named wrongly": set_key("1", "2", 1, {4: bytes(8)}),
        "algorithm": set_key("1", "2", 0, bytes.fromhex("A10127")),
        "document type": set_key("5", "aliro-x"),
        "an element twice": entry(lambda d: [i.append(i[0]) for i in d["1"]["1"].values()]),
        "an extra key": set_key("6", 1),
        "an extra namespace": set_key("1", "1", "aliro-x", []),
        "an extra part of the signed data": set_key("1", "3", 1),
        "no items": entry(lambda d: [items.clear() for items in d["1"]["1"].values()]),
        "items left out altogether": entry(lambda d: d["1"].pop("1")),
        "signature structure of three parts": entry(lambda d: d["1"]["2"].pop()),
    })


def _responses() -> None:
    def change(key, value):
        return lambda response: {**response, key: value}

    def documents(make):
        return lambda response: {**response, "2": make(response["2"])}

    whole = cbor2.loads(octets(VECTORS["accessDocument"]["document"]))
    each("device-response", {
        "version": change("1", "1.1"), "status 10": change("3", 10), "status 11": change("3", 11),
        "status 12": change("3", 12), "status false": change("3", False),
        "an extra key": change("4", 0),
        "no version": lambda r: {"2": r["2"], "3": r["3"]},
        "keys in another order": lambda r: dict(reversed(r.items())),
        "no documents": change("2", []), "documents are no list": change("2", {}),
        "a list in place of the map": lambda r: list(r.values()),
        "a document twice": documents(lambda d: d + d[:1]),
        "one document less": documents(lambda d: d[1:]),
        "a document that is no map": documents(lambda d: d + [1]),
        "the whole stored document, also what nobody asked": documents(lambda d: [whole] + d[1:]),
    })
    each("device-response-octets", {
        "octet behind": lambda m: m + b"\x00", "cut short": lambda m: m[:-1],
        "status longer than it need be": lambda m: m[:-1] + b"\x18\x00",
        "an outer map of indefinite length": lambda m: b"\xBF" + m[1:] + b"\xFF",
        "a key twice": lambda m: b"\xA4" + m[1:] + b"\x61\x33\x00",
    })
    _sealed("envelope-sealed")
    each("envelope-data", {
        "tag 54": lambda m: b"\x54" + m[1:], "octet behind": lambda m: m + b"\x00",
        "without the map": lambda m: tlv.encode(0x53, step_up.unwrap(m)),
        "another key": lambda m: tlv.encode(0x53, cbor2.dumps({"Data": step_up.unwrap(m)})),
        "an extra key": lambda m: tlv.encode(0x53, cbor2.dumps(
            {"data": step_up.unwrap(m), "x": 1})),
        "a text in place of octets": lambda m: tlv.encode(0x53, cbor2.dumps({"data": "x"})),
        "not CBOR": lambda m: tlv.encode(0x53, b"\xFF\xFF"), "empty": lambda m: b"",
    })
    each("step-up channel", channel_mistakes())


def _ranging() -> None:
    each("ranging-payload", {
        "resume": lambda m: b"\x01\x00", "octet behind": lambda m: m + b"\x00",
        "empty": lambda m: b""})
    each("m-payload", {"another one": lambda m: flip(m, -1), "empty": lambda m: b""})
    for stage in ("time-message", "initiate-ranging", "ranging-message"):
        each(stage, {
            "GCM tag": lambda m: flip(m, -1), "ciphertext": lambda m: flip(m, 4),
            "in clear": lambda m: ble.Message(m[0], m[1], m[4:-16]).encode(),
            "as another message": lambda m: flip(m, 1, 8), "cut short": lambda m: m[:-1],
            "as an RKE request": lambda m: b"\x02\x04" + m[2:],
        })


for _register in (_parts, _exchange, _documents, _responses, _ranging):
    _register()
at("control-data", "data in the CONTROL FLOW answer")(lambda m: b"\x01")
