"""The simulated device's EXCHANGE with its mailbox, and step-up."""

from typing import List, Optional

import cbor2

from aliro_reader import crypto, document, exchange as exchanges, step_up, tlv
from simulated_rules import Refused, require, strictly

EXCHANGE_LAYOUT = [tlv.Field(0xBA, None, required=False), tlv.Field(0xAE, None, required=False),
                   tlv.Field(0x97, 2, required=False), tlv.Field(0x98, 0, required=False),
                   tlv.Field(0x81, None, required=False)]
ANSWER_LIMIT = 16384
# Section 10's reader status values.
STATUS_WORDS = {
    0x0001: "key not found", 0x0002: "key expired", 0x0003: "key not trusted",
    0x0004: "bad signature", 0x0006: "bad format", 0x0007: "bad content",
    0x0020: "status word error", 0x0021: "no key slot", 0x0022: "no public key",
    0x0023: "no signature", 0x0025: "access rights", 0x0026: "hardware", 0x0100: "secured",
    0x0101: "unsecured", 0x0102: "jammed", 0x0180: "securing", 0x0181: "unsecuring",
    0x0182: "unknown"}


def exchange(device, data: bytes) -> bytes:
    require(device.channel is not None, "EXCHANGE comes after the keys", "6D00")
    channel = _step_up_channel(device) if device.in_step_up else device.channel
    plaintext = _open(channel or crypto.Channel.for_device(bytes(32), bytes(32)), data)
    if not device.standard and not device.heard:
        device.events = [{"event": "reader_authenticated"}]
    device.heard = True
    found = tlv.decode_known(plaintext, EXCHANGE_LAYOUT)
    if 0x97 in found:
        require(not device.over_ble, "a reader status does not come in EXCHANGE over BLE", "6701")
    if 0x98 in found:
        require(not device.ursk, "the ranging key is asked for once", "6701")
        device.ursk = True
    require(0x81 not in found, "the reader does not update documents", "6701")
    if 0xAE in found:
        notice = tlv.decode_all(found[0xAE])
        require(len(found[0xAE]) <= 250 and len(notice) == 1, "a notice is one, and short", "6701")
        require(all(len(value) == 2 for tag, value in notice if tag == 0x82),
                "a reader error has two octets", "6701")
    answer = b""
    result = exchanges.SUCCESS
    if 0xBA in found:
        answer, result = _mailbox(device, found[0xBA])
    answer = device.alter("exchange-plaintext", answer + b"\x00\x02" + result)
    sealed = device.alter("exchange-sealed", channel.seal(answer) if channel else answer)
    if 0x97 in found:
        status = int.from_bytes(found[0x97], "big")
        device.finish(status >> 8 == 1, STATUS_WORDS.get(status, "unknown"))
    return sealed


def _open(channel: crypto.Channel, sealed: bytes) -> bytes:
    before = channel.incoming.counter
    try:
        return channel.open(sealed)
    except crypto.CryptoError:
        require(False, "a sealed command opens at its counter", "6982")
        channel.incoming.counter = before
        return b""


def _mailbox(device, data: bytes) -> tuple:
    """Everything is looked at before anything is done."""
    box = device.config.mailbox
    pairs = tlv.decode_all(data)
    require(bool(pairs) and pairs[0][0] == 0x8C, "mailbox commands start with 8C", "6701")
    more = pairs[0][1] if pairs and pairs[0][0] == 0x8C else exchanges.LAST
    require(more in (exchanges.LAST, exchanges.MORE), "8C is last or more", "6701")
    operations = [pair for pair in pairs[1:] if pair[0] in (
        exchanges.READ, exchanges.WRITE, exchanges.SET)]
    require(0x8C not in [tag for tag, _ in pairs[1:]], "8C comes once", "6701")
    lengths = {exchanges.READ: 4, exchanges.SET: 5}
    require(all(len(value) == lengths.get(tag, max(2, len(value))) for tag, value in operations),
            "a mailbox command has its length", "6701")
    if box is None or (device.in_step_up and not box.in_step_up):
        require(False, "there is a mailbox that may be used here", "6701")
        return b"", exchanges.SUCCESS
    reads = [operation for operation in operations if operation[0] == exchanges.READ]
    writes = [operation for operation in operations if operation[0] != exchanges.READ]
    require(not reads or box.readable, "the mailbox may be read", "6701")
    require(not writes or box.writable, "the mailbox may be written", "6701")
    spans = [exchanges.span(operation) for operation in operations if len(operation[1]) >= 2]
    inside = all(offset + length <= len(box.contents) for offset, length in spans)
    small = sum(exchanges.span(read)[1] + 2 for read in reads if len(read[1]) >= 4)
    device.atomic = more == exchanges.MORE
    if not inside or small > ANSWER_LIMIT:
        try:
            require(False, "mailbox ranges are inside, and answers have a limit", "9000")
        except Refused:
            return b"", b"\xFF\xFF"
    shown = [box.contents[offset:offset + length]
             for offset, length in map(exchanges.span, reads)]
    device.held += writes
    if not device.atomic:
        box.run(exchanges.Plan(operations=device.held))
        device.held = []
    device.alter("mailbox", box)
    return b"".join(len(data).to_bytes(2, "big") + data for data in shown), exchanges.SUCCESS


# --- step-up ---------------------------------------------------------------------------------

def envelope(device, data: bytes) -> bytes:
    require(device.standard, "ENVELOPE comes after AUTH1", "6D00")
    require(device.over_ble or device.in_step_up,
            "over NFC the step-up application is selected before ENVELOPE", "6D00")
    channel = _step_up_channel(device)
    device.in_step_up = True
    sealed = strictly(step_up.StepUpError, "session data is a map with one byte string", "6701",
                      lambda: step_up.unwrap(data), lambda: b"")
    answer = device.alter("device-response", _answer(device, _open(channel, sealed)))
    octets = device.alter("device-response-octets", cbor2.dumps(answer))
    sealed = device.alter("envelope-sealed", channel.seal(octets))
    return device.alter("envelope-data", step_up.wrap(sealed))


def _step_up_channel(device) -> crypto.Channel:
    if device.step_up_channel is None:
        device.step_up_channel = device.alter(
            "step-up channel", crypto.Channel.for_device(*device.step_up_keys))
    return device.step_up_channel


def _answer(device, octets: bytes) -> dict:
    status, documents = step_up.OK, []
    try:
        try:
            decoded = step_up.decode(octets)
        except step_up.StepUpError:
            status = step_up.NOT_CBOR
            require(False, "a DeviceRequest is CBOR", "")
            decoded = {}
        status = step_up.NOT_VALID
        documents = [_document(device, *wanted) for wanted in _wanted(decoded)]
        status = step_up.OK
    except Refused:
        pass
    return {"1": "1.0", "2": [entry for entry in documents if entry], "3": status}


def _wanted(request) -> list:
    """(document type, elements) of each request; raises for what is not a DeviceRequest."""
    wanted, sound = [], True
    try:
        sound = set(request) == {"1", "2"} and request["1"] == "1.0" and bool(request["2"])
        for entry in request["2"]:
            items = step_up.decode(entry["1"].value)
            sound &= entry["1"].tag == 24 and set(entry) == {"1"} and set(items) <= {"1", "2", "5"}
            for name, elements in items["1"].items():
                sound &= isinstance(name, str) and all(
                    isinstance(key, str) and isinstance(retain, bool)
                    for key, retain in elements.items())
            sound &= isinstance(items["5"], str)
            wanted.append((items["5"], items["1"].get(items["5"], {})))
    except (KeyError, TypeError, ValueError, AttributeError):
        sound = False
    require(sound, "a DeviceRequest is a valid one", "")
    return wanted


def _document(device, kind: str, elements: dict) -> Optional[dict]:
    """The stored document with only the elements that were asked for."""
    if kind not in device.config.documents:
        return None
    stored = cbor2.loads(device.config.documents[kind])
    items: List = []
    for item in stored["1"]["1"][kind]:
        if cbor2.loads(item.value)["3"] in elements:
            items.append(item)
    stored["1"]["1"] = {kind: items}
    return device.alter("document", stored) if items else None
