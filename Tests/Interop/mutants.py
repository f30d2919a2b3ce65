"""Ways to spoil a good device, one at a time; the reader must refuse every one.

A mutant changes what the simulated device sends at one stage of a run. A reader that lets one
of them in is not checking something. These are of the expedited phase and of BLE messages;
`mutants_session` has those of EXCHANGE, step-up and ranging.
"""

from typing import Callable, Dict, NamedTuple

from aliro_reader import ble, commands, crypto, selection, tlv


class Mutant(NamedTuple):
    stage: str
    change: Callable


MUTANTS: Dict[str, Mutant] = {}


def flip(octets: bytes, index: int, bit: int = 1) -> bytes:
    spoiled = bytearray(octets)
    spoiled[index] ^= bit
    return bytes(spoiled)


def at(stage: str, name: str):
    """Registers a mutant that changes only the value of `stage`."""
    def register(change: Callable) -> Callable:
        title = f"{stage}: {name}"
        if title in MUTANTS:
            raise ValueError(f"two mutants are called {title}")
        MUTANTS[title] = Mutant(stage, change)
        return change
    return register


def each(stage: str, changes: Dict[str, Callable]) -> None:
    for name, change in changes.items():
        at(stage, name)(change)


def value_of(tag: int, change: Callable) -> Callable:
    """Changes one field in a list of fields."""
    return lambda fields: [(t, change(v) if t == tag else v) for t, v in fields]


def _initiate() -> None:
    add = [
        ("approach flow in place of RKE", lambda m: flip(m, 1, 3)),
        ("protocol", lambda m: flip(m, 0)),
        ("length in the header", lambda m: flip(m, 3)),
        ("cut short", lambda m: m[:-1]),
        ("octet behind", lambda m: m + b"\x00"),
        ("fewer octets than a header", lambda m: m[:3]),
        ("attribute length", lambda m: flip(m, 5)),
        ("type in the A5 information", lambda m: flip(m, -5)),
        ("version not common", lambda m: flip(m, -2, 2)),
        # The A5 octets go into the salt: a valid but different A5 makes other keys.
        ("a second version is inserted", lambda m: _initiate_with("A50A800200005C0401000009", m)),
        ("an empty version list", lambda m: _initiate_with("A506800200005C00", m)),
        ("a version of one octet", lambda m: _initiate_with("A507800200005C0101", m)),
        ("no versions", lambda m: _initiate_with("A50480020000", m)),
        ("a vendor part of 128 octets", lambda m: _initiate_with(tlv.encode(
            0xA5, bytes.fromhex("800200005C020100") + tlv.encode(0xB3, bytes(128))).hex(), m)),
        ("an error event in its place", lambda m: bytes.fromhex("02000003010101")),
    ]
    for name, change in add:
        at("initiate", name)(change)


def _initiate_with(proprietary: str, message: bytes) -> bytes:
    payload = ble.initiate_payload(bytes.fromhex(proprietary))
    return ble.Message(2, message[1], payload).encode()


def _selection() -> None:
    def fci(proprietary: str, aid: bytes = commands.EXPEDITED_AID) -> Callable:
        return lambda _: selection.encode_fci(aid, bytes.fromhex(proprietary))

    good, without_versions = crypto.DEFAULT_A5.hex(), "A50480020000"
    each("fci", {
        "another application": fci(good, commands.STEP_UP_AID),
        "an application name of 8 octets": fci(good, commands.EXPEDITED_AID[:8]),
        "outer tag": lambda m: flip(m, 0),
        "octet behind": lambda m: m + b"\x00",
        "cut short": lambda m: m[:-1],
        "without A5": lambda m: tlv.encode(0x6F, tlv.encode(0x84, commands.EXPEDITED_AID)),
        "A5 first": lambda m: tlv.encode(0x6F, crypto.DEFAULT_A5 + tlv.encode(
            0x84, commands.EXPEDITED_AID)),
        "type in the A5 information": fci("A508800200015C020100"),
        "version not common": fci("A508800200005C020009"),
        "no versions": fci(without_versions),
        "a second version is inserted": fci("A50A800200005C0401000009"),
    })
    each("step-up-fci", {
        "the expedited application": fci(without_versions),
        "a version list": fci(good, commands.STEP_UP_AID),
        "type in the A5 information": fci("A50480020001", commands.STEP_UP_AID),
        "octet behind": lambda m: m + b"\x00",
        "empty": lambda m: b"",
    })


def _auth0() -> None:
    add = [
        ("key not on the curve", value_of(0x86, lambda v: flip(v, 64))),
        ("compressed key", value_of(0x86, lambda v: b"\x02" + v[1:33])),
        ("point at infinity", value_of(0x86, lambda v: b"\x00")),
        ("first octet 05", value_of(0x86, lambda v: b"\x05" + v[1:])),
        ("another key of the curve", value_of(
            0x86, lambda v: crypto.point_of(crypto.key_from_scalar(b"\x07" * 32)))),
        ("key under another tag", lambda f: [(0x87, f[0][1])]),
        ("key twice", lambda f: f + f),
        ("unknown tag", lambda f: f + [(0xAA, b"\x01")]),
        ("cryptogram nobody asked for", lambda f: f + [(0x9D, bytes(64))]),
        ("no key", lambda f: []),
        ("the key last", lambda f: [(0xB2, b"\x01")] + f),
    ]
    for name, change in add:
        at("auth0-fields", name)(change)


def _cryptogram() -> None:
    each("cryptogram", {
        "of 63 octets": lambda c: c[:-1],
        "of 65 octets": lambda c: c + b"\x00",
        "empty": lambda c: b"",
    })
    each("cryptogram-fields", {
        "bitmap says no Access Document": value_of(0x5E, lambda v: flip(v, 1, 1)),
        "bitmap turns the Revocation bit": value_of(0x5E, lambda v: flip(v, 1, 2)),
        "bitmap turns a mailbox bit": value_of(0x5E, lambda v: flip(v, 1, 0x10)),
        "bitmap bit 15": value_of(0x5E, lambda v: flip(v, 0, 0x80)),
        "time differs": value_of(0x91, lambda v: flip(v, 3)),
        "time of zeros": value_of(0x91, lambda v: bytes(20)),
        "a time of its own for revocation": value_of(0x92, lambda v: b"2026-01-15T08:30:00Z"),
    })
    # The fields must still make 48 octets, or the length alone gives it away.
    at("cryptogram-fields", "revocation first")(lambda f: [f[0], f[2], f[1]])
    at("cryptogram-fields", "bitmap last")(lambda f: f[1:] + f[:1])
    at("cryptogram-fields", "tag 93 in place of 91")(lambda f: [f[0], (0x93, f[1][1]), f[2]])


def _auth1_fields() -> None:
    def swap(fields, one, other):
        moved = list(fields)
        if max(one, other) >= len(moved):
            return moved
        moved[one], moved[other] = moved[other], moved[one]
        return moved

    add = [
        ("signature r", value_of(0x9E, lambda v: flip(v, 0))),
        ("signature s", value_of(0x9E, lambda v: flip(v, 63))),
        ("signature r = 0", value_of(0x9E, lambda v: bytes(32) + v[32:])),
        ("signature of 63 octets", value_of(0x9E, lambda v: v[:63])),
        ("signature missing", lambda f: [p for p in f if p[0] != 0x9E]),
        ("signature twice", lambda f: f[:2] + f[1:]),
        ("identity", lambda f: [(f[0][0], flip(f[0][1], -1))] + f[1:]),
        ("identity missing", lambda f: f[1:]),
        ("identity of one octet less", lambda f: [(f[0][0], f[0][1][:-1])] + f[1:]),
        ("the other identity form", lambda f: [
            (0x4E, bytes(8)) if f[0][0] == 0x5A else (0x5A, bytes(65))] + f[1:]),
        ("both identity forms", lambda f: [(0x4E, bytes(8)), (0x5A, bytes(65))] + f[1:]),
        ("signature before identity", lambda f: swap(f, 0, 1)),
        ("bitmap before signature", lambda f: swap(f, 1, 2)),
        ("time before bitmap", lambda f: swap(f, 2, 3)),
        ("bitmap of one octet", value_of(0x5E, lambda v: v[1:])),
        ("bitmap of three octets", value_of(0x5E, lambda v: b"\x00" + v)),
        ("bitmap missing", lambda f: [p for p in f if p[0] != 0x5E]),
        ("bitmap says no Access Document", value_of(0x5E, lambda v: flip(v, 1, 1))),
        ("bitmap turns the Revocation bit", value_of(0x5E, lambda v: flip(v, 1, 2))),
        ("bitmap bit 8", value_of(0x5E, lambda v: flip(v, 0, 1))),
        ("bitmap bit 15", value_of(0x5E, lambda v: flip(v, 0, 0x80))),
        ("bitmap turns bit 2, step-up needs its AID", value_of(0x5E, lambda v: flip(v, 1, 4))),
        ("bitmap turns the mailbox-readable bit", value_of(0x5E, lambda v: flip(v, 1, 0x10))),
        ("bitmap allows document updates", value_of(0x5E, lambda v: flip(v, 0, 2))),
        ("mailbox data nobody asked for", lambda f: f[:2] + [(0x4B, b"\x01")] + f[2:]),
        ("time of revocation nobody issued", lambda f: [p for p in f if p[0] != 0x92] + (
            [] if any(p[0] == 0x92 for p in f) else [(0x92, bytes(20))])),
        ("time differs", value_of(0x91, lambda v: flip(v, 3))),
        ("time of 19 octets", value_of(0x91, lambda v: v[:-1])),
        ("time missing", lambda f: [p for p in f if p[0] != 0x91]),
        ("length longer than the octets", lambda f: f[:-1] + [(f[-1][0], f[-1][1] + b"\x01")]),
        ("unknown tag at the end", lambda f: f + [(0xAA, b"\x01")]),
        ("unknown tag in front", lambda f: [(0xAA, b"\x01")] + f),
    ]
    for name, change in add:
        at("auth1-fields", name)(change)


def _auth1_octets() -> None:
    at("transcript", "reader's usage constant")(
        lambda m: m[:-4] + crypto.READER_USAGE)
    at("transcript", "another transaction identifier")(lambda m: flip(m, 119))
    at("transcript", "another reader identifier")(lambda m: flip(m, 2))
    at("auth1-plaintext", "octet behind")(lambda m: m + b"\x00")
    at("auth1-plaintext", "a tag of three octets")(lambda m: b"\x9F\x81\x01\x00" + m)
    at("auth1-plaintext", "a length of five octets")(lambda m: b"\x5A\x84" + bytes(4) + m)
    at("auth1-plaintext", "cut short")(lambda m: m[:-1])
    at("auth1-plaintext", "length in long form")(
        lambda m: m.replace(b"\x9E\x40", b"\x9E\x81\x40", 1))
    at("auth1-sealed", "GCM tag")(lambda m: flip(m, -1))
    at("auth1-sealed", "ciphertext")(lambda m: flip(m, 0))
    at("auth1-sealed", "tag cut off")(lambda m: m[:-16])
    at("auth1-sealed", "empty")(lambda m: b"")

    each("channel", channel_mistakes())


def channel_mistakes() -> Dict[str, Callable]:
    """Of a channel of APDUs: each leads to a tag that must not verify."""
    def outgoing(**changes):
        def change(channel):
            for name, value in changes.items():
                setattr(channel.outgoing, name, value)
            return channel
        return change

    def swapped(channel):
        channel.outgoing.key = channel.incoming.key
        return channel

    return {"counter 2": outgoing(counter=2), "counter 0": outgoing(counter=0),
            "direction of the reader": outgoing(direction=crypto.TO_DEVICE),
            "the reader's key": swapped, "another key": outgoing(key=bytes(32))}


def _answers() -> None:
    at("certificate-data", "data in the LOAD CERT answer")(lambda m: b"\x01")
    at("answer-apdu", "status word 6982")(lambda m: m[:-2] + b"\x69\x82")
    at("answer-apdu", "status word 9001")(lambda m: m[:-1] + b"\x01")
    at("answer-apdu", "no status word")(lambda m: m[:1])
    at("answer-apdu", "more octets announced")(lambda m: m[:-2] + b"\x61\x10")
    at("answer-message", "comes as a request")(lambda m: flip(m, 1))
    at("answer-message", "another protocol")(lambda m: flip(m, 0, 2))
    at("answer-message", "length in the header")(lambda m: flip(m, 3))
    at("answer-message", "error event in its place")(lambda m: bytes.fromhex("02000003010101"))
    at("answer-message", "shorter than a header")(lambda m: m[:3])
    at("part-answer", "data in the answer to a part")(lambda m: b"\x01")


def _ble() -> None:
    def outgoing(**changes):
        def change(link):
            for name, value in changes.items():
                setattr(link.outgoing, name, value)
            return link
        return change

    at("link", "counter starts at 2")(outgoing(counter=2))
    at("link", "counter starts at 0")(outgoing(counter=0))
    at("link", "direction of the reader")(outgoing(direction=crypto.TO_DEVICE))
    at("link", "key of another version list")(outgoing(key=bytes(32)))
    at("rke-payload", "asks for the other action")(lambda m: flip(m, -1))
    at("rke-payload", "unknown action 2")(lambda m: m[:-1] + b"\x02")
    at("rke-payload", "attribute 1")(lambda m: flip(m, 0))
    at("rke-payload", "attribute length")(lambda m: flip(m, 1))
    at("rke-payload", "octet behind")(lambda m: m + b"\x00")
    at("rke-payload", "empty")(lambda m: b"")
    at("rke-message", "GCM tag")(lambda m: flip(m, -1))
    at("rke-message", "ciphertext")(lambda m: flip(m, 4))
    at("rke-message", "sent as ranging message")(lambda m: flip(m, 1, 5))
    at("rke-message", "in clear")(lambda m: bytes.fromhex("02040003000101"))
    at("rke-message", "header octets differ from the associated data")(lambda m: flip(m, 1))
    at("rke-message", "cut short")(lambda m: m[:-1])
    at("rke-message", "no room for a tag")(lambda m: bytes.fromhex("0204000F") + bytes(15))


for _register in (_initiate, _selection, _auth0, _cryptogram, _auth1_fields, _auth1_octets,
                  _answers, _ble):
    _register()


def associated_without_length(link: ble.SecureLink) -> ble.SecureLink:
    """The mistake of putting the sealed length into the associated data."""
    def seal(protocol, identifier, payload):
        associated = ble.header(protocol, identifier, len(payload) + ble.TAG_OCTETS)
        return ble.Message(
            protocol, identifier, link.outgoing.seal(payload, associated)).encode()
    link.seal = seal
    return link


at("link", "associated data with the sealed length")(associated_without_length)
