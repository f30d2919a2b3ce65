"""The stages of the good reader, and what spoiling each must meet: faults, registered by rule."""

from aliro_reader import crypto, exchange, tlv
from faults import BLE, BOTH, CERTIFICATE, FRAME, NFC, PROTOCOL, UNTRUSTED, fault, flip
from negative import (
    PROBE, apdu_changes, channel_changes, flips, frame_changes, list_changes, sealed_changes,
    spoil, value)

ANY = PROTOCOL | UNTRUSTED | frozenset({"unsupported"})
AUTH0_TAGS = [0x41, 0x42, 0x5C, 0x87, 0x4C, 0x4D]
CERTIFICATE_TAGS = [0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86]
AFTER_AUTH1 = {"CONTROL FLOW", "EXCHANGE", "ENVELOPE", "GET RESPONSE", "access protocol completed",
               "reader status changed", "M1", "M3", PROBE}
COMPLETED, STATUS = "access protocol completed", "reader status changed"

PLANS = [exchange.Plan([exchange.read(0, 4), exchange.write(8, b"door"),
                        exchange.fill(16, 4, 0xEE)], ursk=True)]


def _add(stage: str, name: str, change, at: str, words: str, codes=PROTOCOL, transports=BOTH,
         occurrence: int = 1, make=None, **options) -> None:
    """`make` gives options that need the bench."""
    def run(bench):
        more = make(bench) if make else {}
        return spoil(bench, stage, change, occurrence, **options, **more)
    late = {place in AFTER_AUTH1 for place in at.split("|")}
    if len(late) != 1:
        raise ValueError(f"{name}: AUTH1 is either answered before, or not")
    # Over BLE a message that is no APDU meets no status word.
    fault(f"{stage}: {name}", at, words, codes, after_auth1=late.pop(), transports=transports,
          may_be_error=not words)(run)


def _each(stage: str, changes, at: str, words: str, codes=PROTOCOL, **options) -> None:
    for name, change in changes:
        _add(stage, name, change, at, words, codes, **options)


# --- AUTH0, LOAD CERT, AUTH1 ---------------------------------------------------------------------

def _auth0() -> None:
    _each("AUTH0 fields", list_changes(AUTH0_TAGS), "AUTH0", "6701")
    for bit in range(1, 8):
        _add("AUTH0 fields", f"tag 41 with bit {bit}", value(
            0x41, lambda v, bit=bit: flip(v, 0, 1 << bit)), "AUTH0", "6701 6985 6A80")
    _each("AUTH0 fields", ((f"tag 5C, {n}", value(0x5C, c)) for n, c in flips(2, 1)), "AUTH0",
          "6985", ANY)
    _each("AUTH0 fields", ((f"tag 87, {n}", value(0x87, c)) for n, c in flips(65, 16)), "AUTH0",
          "6701")
    another = crypto.point_of(crypto.key_from_scalar(b"\x07" * 32))
    _add("AUTH0 fields", "tag 87, another point", value(0x87, lambda v: another), "AUTH1", "6982",
         UNTRUSTED)
    for tag, length in ((0x4C, 16), (0x4D, 32)):
        _each("AUTH0 fields", ((f"tag {tag:02X}, {n}", value(tag, c))
                               for n, c in flips(length, 8)), "AUTH1", "6982", UNTRUSTED)
    # Flags and extensions are not signed: they show in the keys. Tag 42 = 02 is as good as 01.
    _add("AUTH0 fields", "tag 42, the other good policy", value(0x42, lambda v: b"\x02"), PROBE,
         "", transports=BLE)
    _add("AUTH0 fields", "tag 42, the other good policy, over NFC",
         value(0x42, lambda v: b"\x02"), PROBE, "6982", transports=NFC)
    _extension()


def _extension() -> None:
    extended = {"extension": bytes.fromhex("300904030000010102AABB")}
    tags = AUTH0_TAGS + [0xB1]
    for name, change in list_changes(tags, optional={0xB1}):
        if "B1" in name and "octet" not in name and "empty" not in name:
            _add("AUTH0 fields", f"with an extension, {name}", change, "AUTH0", "6701", **extended)
    _add("AUTH0 fields", "an extension of 128 octets",
         value(0xB1, lambda v: bytes.fromhex("307E") + bytes(126)), "AUTH0", "6701", **extended)
    for name, change in (("spoiled", value(0xB1, lambda v: flip(v, -1))),
                         ("left out", lambda pairs: pairs[:-1])):
        _add("AUTH0 fields", f"an extension {name}", change, PROBE, "", transports=BLE,
             **extended)
        _add("AUTH0 fields", f"an extension {name}, over NFC", change, PROBE, "6982",
             transports=NFC, **extended)


def _nested(change):
    """Changes the list of fields in the compressed certificate."""
    def apply(compressed: bytes) -> bytes:
        profile, fields = tlv.decode_all(tlv.decode_single(compressed, 0x30))
        changed = tlv.encode_all(change(tlv.decode_all(fields[1])))
        return tlv.encode(0x30, tlv.encode_all([profile, (fields[0], changed)]))
    return apply


def _outer(change):
    def apply(compressed: bytes) -> bytes:
        return tlv.encode(0x30, tlv.encode_all(change(
            tlv.decode_all(tlv.decode_single(compressed, 0x30)))))
    return apply


def _certificates() -> None:
    def full(bench):
        made = bench.door.certificate(
            serial=b"\x7E\x01", issuer=b"Example CA", subject=b"Front door",
            not_before=b"240101000000Z", not_after=b"400101000000Z")
        return {"certificate": made}

    for variant, at in (("loadcert", "LOAD CERT|AUTH1"), ("auth1cert", "AUTH1")):
        def add(name, change, variant=variant, at=at):
            _add("certificate", f"{variant}, {name}", change, at, "6400 6701 6982", CERTIFICATE,
                 make=full, variant=variant)
        for name, change in list_changes(CERTIFICATE_TAGS):
            add(name, _nested(change))
        for tag in CERTIFICATE_TAGS:
            for name, change in (("first octet", lambda v: flip(v, 0)),
                                 ("last octet", lambda v: flip(v, -1))):
                add(f"tag {tag:02X}, {name}", _nested(value(tag, change)))
        for name, change in list_changes([0x04, 0x30]):
            add(f"outer {name}", _outer(change))
        add("outer tag 31", lambda c: b"\x31" + c[1:])
        add("cut short", lambda c: c[:-1])
        add("an octet behind", lambda c: c + b"\x00")


def _auth1() -> None:
    _each("AUTH1 fields", list_changes([0x41, 0x9E]), "AUTH1", "6701")
    for name, change in list_changes([0x41, 0x9E, 0x90], optional={0x90}):
        if "90" in name and "octet" not in name and "empty" not in name:
            _add("AUTH1 fields", f"with a certificate, {name}", change, "AUTH1", "6701",
                 variant="auth1cert")
    _add("AUTH1 fields", "with a certificate, tag 90 missing", lambda pairs: pairs[:2], "AUTH1",
         "6982", UNTRUSTED, variant="auth1cert")
    _add("AUTH1 fields", "with a certificate, tag 90 written as AA",
         lambda pairs: pairs[:2] + [(0xAA, pairs[2][1])], "AUTH1", "6982", UNTRUSTED,
         variant="auth1cert")
    for bit in range(1, 8):
        _add("AUTH1 fields", f"tag 41 with bit {bit}", value(
            0x41, lambda v, bit=bit: flip(v, 0, 1 << bit)), "AUTH1", "6701 6985 6A80")
    _each("AUTH1 fields", ((f"tag 9E, {n}", value(0x9E, c)) for n, c in flips(64, 9)), "AUTH1",
          "6982", UNTRUSTED)
    # Every octet group of what is signed: the five tags and their values.
    _each("transcript", flips(126, 5), "AUTH1", "6982", UNTRUSTED)
    _each("transcript", [("cut short", lambda t: t[:-1]), ("an octet behind", lambda t: t + b"\0"),
                         ("empty", lambda t: b"")], "AUTH1", "6982", UNTRUSTED)
    for variant in ("loadcert", "auth1cert"):
        _each("transcript", ((f"{variant}, {n}", c) for n, c in flips(126, 60)), "AUTH1", "6982",
              UNTRUSTED, variant=variant)


# --- APDUs and BLE frames -----------------------------------------------------------------------

def _step_up(bench):
    return {"step_up": bench.request()}


def _apdus() -> None:
    stages = {"AUTH0": {}, "LOAD CERT": {"variant": "loadcert"}, "AUTH1": {},
              "EXCHANGE": {"exchanges": PLANS}, "ENVELOPE": {"make": _step_up},
              "GET RESPONSE": {"make": _step_up}, "CONTROL FLOW": {"control_flow": b"\x00\x00"}}
    for command, options in stages.items():
        for name, words, change in apdu_changes(command != "GET RESPONSE"):
            if (command, name) == ("CONTROL FLOW", "an octet behind"):
                continue    # it is sent without Le, and that would be one
            _add(f"{command} apdu", name, change, command, words, ANY, **options)
        for name, change in frame_changes():
            _add(f"{command} frame", name, change, command, "", FRAME, transports=BLE, **options)
    for command, length, options in (("EXCHANGE", 40, {"exchanges": PLANS}),
                                     ("ENVELOPE", 110, {"make": _step_up})):
        _each(f"{command} sealed", sealed_changes(length), command, "6982 6701", **options)
    _each("expedited channel", channel_changes(), "EXCHANGE", "6982", exchanges=PLANS)
    _each("step-up channel", channel_changes(), "ENVELOPE", "6982", make=_step_up)
    _add("EXCHANGE plaintext", "an octet behind", lambda p: p + b"\x00", "EXCHANGE", "6701",
         exchanges=PLANS)
    _add("EXCHANGE plaintext", "cut in the mailbox commands", lambda p: p[:9], "EXCHANGE", "6701",
         exchanges=PLANS)
    _each("EXCHANGE fields", ((n, c) for n, c in list_changes([0xBA, 0x98], {0xBA, 0x98})
                              if "98" in n and "less" not in n and "empty" not in n
                              or "twice" in n), "EXCHANGE", "6701", exchanges=PLANS)
    _each("mailbox fields", ((n, c) for n, c in list_changes([0x8C], set())
                             if "AA" not in n), "EXCHANGE", "6701", exchanges=PLANS)
    tags = [0x8C, exchange.READ, exchange.WRITE, exchange.SET]
    _each("mailbox fields", ((n, c) for n, c in list_changes(tags, set(tags))
                             if n.startswith(("tag 87", "tag 95")) and "twice" not in n
                             or "8C and" in n), "EXCHANGE", "6701", exchanges=PLANS)


# --- BLE messages that are sealed -----------------------------------------------------------------

def _notifications() -> None:
    # Attributes that are whole but not the known ones are no fault: see the runs that end oddly.
    for name, payload in (("length one more", lambda p: flip(p, 1)),
                          ("cut short", lambda p: p[:-1]),
                          ("cut behind an id", lambda p: p[:1]),
                          ("an octet behind", lambda p: p + b"\0")):
        for stage in (COMPLETED, STATUS):
            _add(f"{stage} payload", name, payload, stage, "", transports=BLE)
    for stage in (COMPLETED, STATUS):
        _each(f"{stage} frame", ((n, c) for n, c in frame_changes()), stage, "", FRAME,
              transports=BLE)
        _each(f"{stage} frame", ((f"sealed {n}", c) for n, c in flips(24, 7) if n != "octet 0"),
              stage, "", FRAME, transports=BLE)
    _each("BLE channel", channel_changes(), COMPLETED, "", transports=BLE)
    approach = {"intent": "approach", "ranging": True, "transports": BLE,
                "exchanges": [exchange.Plan(ursk=True)]}
    for message in ("M1", "M3"):
        _each(f"{message} frame",
              ((n, c) for n, c in frame_changes() if n != "the id of an answer"),
              message, "", FRAME, **approach)
        _each(f"{message} frame", ((f"sealed {n}", c) for n, c in flips(38, 12) if n != "octet 0"),
              message, "", FRAME, **approach)


# --- what keys are made of ------------------------------------------------------------------------

# Every part of salt and info, and of the transcript: a reader that has another one has other keys.
PARTS = {
    "group key": ("group_key", lambda value: crypto.point_of(crypto.key_from_scalar(b"\x05" * 32))),
    "reader identifier": ("reader_identifier", lambda value: flip(value, 31)),
    "interface": ("interface", lambda value: 0x9D ^ value),
    "version": ("version", lambda value: b"\x00\x09"),
    "reader's ephemeral key": (
        "reader_ephemeral", lambda value: crypto.point_of(crypto.key_from_scalar(b"\x06" * 32))),
    "transaction identifier": ("transaction_identifier", lambda value: flip(value, 15)),
    "flags": ("flags", lambda value: value[:1] + b"\x02"),
    "A5 information": ("proprietary", lambda value: bytes.fromhex("A50A800200005C0401000009")),
    "device's ephemeral key": (
        "device_ephemeral", lambda value: crypto.point_of(crypto.key_from_scalar(b"\x08" * 32))),
    "extension of the command": ("command_extension", lambda value: bytes.fromhex("B10100")),
    "extension of the answer": ("answer_extension", lambda value: bytes.fromhex("B20100")),
}


def _keys() -> None:
    for name, (part, change) in PARTS.items():
        def standard(bench, part=part, change=change):
            session = bench.session()
            session.accepted(change_keys=(part, change))
            return session, session.exchange(b"\x98\x00")

        def sealed(bench, part=part, change=change):
            session = bench.session()
            session.accepted(change_keys=(part, change))
            return session, session.send("BLE", session.completed_message())

        def fast(bench, part=part, change=change):
            session = bench.fast_session(change_keys=(part, change))
            return session, session.exchange(b"\x98\x00")

        fault(f"keys: another {name}", "EXCHANGE", "6982", PROTOCOL, after_auth1=True)(standard)
        fault(f"BLE keys: another {name}", "BLE", "", PROTOCOL, after_auth1=True,
              may_be_error=True, transports=BLE)(sealed)
        fault(f"fast keys: another {name}", "EXCHANGE", "6982", PROTOCOL)(fast)


for _register in (_auth0, _certificates, _auth1, _apdus, _notifications, _keys):
    _register()

# Stages whose faults are written out one by one, and where.
BY_HAND = {
    "SELECT apdu": "faults_nfc", "SELECT data": "faults_nfc", "AUTH0 data": "faults_auth0",
    "LOAD CERT data": "faults_trust", "AUTH1 data": "faults", "EXCHANGE data": "faults_exchange",
    "ENVELOPE data": "faults_step_up", "ENVELOPE fields": "faults_step_up",
    "ENVELOPE wrapper": "faults_step_up", "ENVELOPE map": "faults_step_up",
    "CONTROL FLOW fields": "faults_nfc", "CONTROL FLOW data": "faults_nfc",
    "DeviceRequest": "test_presentation_services", "ItemsRequest": "test_presentation_services",
    "DeviceRequest octets": "test_presentation_services",
    # Their payload is for the ranging side and means nothing here.
    "M1 payload": "", "M3 payload": "",
}


def stages_with_faults(names) -> set:
    """The stages that generated faults spoil, by the names of the faults."""
    return {name.split(": ")[0] for name in names if ": " in name} | set(BY_HAND)
