"""How a transaction ends: a request and its status over BLE, a reader status over NFC."""

from . import ble, commands, exchange, session, tlv

SECURE, UNSECURE = 0, 1
ACTIONS = {"secure": SECURE, "unsecure": UNSECURE}
STATES = {SECURE: "secured", UNSECURE: "unsecured"}
REPORT_TO_ALL = 1 << 5      # reporting 1, each connected device, in the top three bits

INITIATE_RANGING = ble.attribute(0, b"")


class EndingError(ValueError):
    """The device asks for something that does not belong here."""


def over_ble(reader):
    """The credential is accepted; then what the device asks for, and the state of the bolt."""
    config = reader.config
    octets = yield from reader.wait("request", [_completed(reader)])
    if config.ranging:
        yield from _range(reader, octets)
        state, why = UNSECURE, "the user is near"
    else:
        state, why = _take_request(reader, octets), "as asked"
    if config.step_up and config.step_up_late:
        yield from session.step_up(reader)
    # Source 0 (unspecified), then the new status.
    return [reader.notify(
        "reader status changed", (ble.NOTIFICATION, ble.STATUS_CHANGED),
        ble.attribute(0, bytes([0, state])), f"the door is {STATES[state]}, {why}")]


def _completed(reader) -> bytes:
    before = UNSECURE if reader.config.intent == "secure" else SECURE
    return reader.notify(
        "access protocol completed", (ble.NOTIFICATION, ble.COMPLETED),
        ble.attribute(0, bytes([REPORT_TO_ALL, before])), "the credential is accepted")


def _take_request(reader, octets: bytes) -> int:
    message = ble.decode(octets)
    reader.expect(message, ble.NOTIFICATION, ble.RKE_REQUEST)
    action = ble.single_attribute(reader.link.open(message), 0, 1)[0]
    expected = ACTIONS.get(reader.config.intent, UNSECURE)
    if action != expected:
        raise EndingError(f"the device asks for action {action}, expected {expected}")
    asked = {SECURE: "secure", UNSECURE: "unsecure"}[action]
    reader.transcript.received(
        "RKE request (encrypted)", octets, f"decrypted, asks to {asked}")
    return action


def _range(reader, octets: bytes):
    """Time synchronisation (optional), initiate, then M1 to M4 in turn."""
    message = ble.decode(octets)
    if (message.protocol, message.identifier) == (ble.SUPPLEMENTARY, ble.TIME_SYNCHRONISATION):
        reader.link.open(message)
        reader.transcript.received("time synchronisation (encrypted)", octets, "decrypted")
        octets = yield from reader.wait("ranging", [])
        message = ble.decode(octets)
    reader.expect(message, ble.NOTIFICATION, ble.RANGING)
    if reader.link.open(message) != INITIATE_RANGING:
        raise EndingError("the ranging message does not ask to initiate")
    reader.transcript.received("initiate ranging (encrypted)", octets, "decrypted")
    for sent, received in ((ble.M1, ble.M2), (ble.M3, ble.M4)):
        payload = ranging_payload(sent)
        octets = yield from reader.wait("ranging", [reader.notify(
            ble.NAMES[ble.UWB, sent], (ble.UWB, sent), payload)])
        message = ble.decode(octets)
        reader.expect(message, ble.UWB, received)
        if reader.link.open(message) != ranging_payload(received):
            raise EndingError(f"{message.name} is not the one the ranging side made")
        reader.transcript.received(f"{message.name} (encrypted)", octets, "decrypted, as made")


def ranging_payload(number: int) -> bytes:
    """Stands for what the two ranging stacks would say; the access protocol only carries it."""
    return ble.attribute(0, b"ranging set-up " + bytes([0x30 + number]))


def over_nfc(reader):
    usual = b"\x01\x00" if reader.config.intent == "secure" else b"\x01\x01"
    status = usual if reader.config.outcome is None else reader.config.outcome
    yield from session.exchange(reader, exchange.Plan(status=status))
    return []


def control_flow(reader):
    """The reader gives up: plain, without Le, and answered without data."""
    s1, s2 = reader.config.control_flow
    fields = reader.alter("CONTROL FLOW fields", [(0x41, bytes([s1])), (0x42, bytes([s2]))])
    data, octets = yield from reader.transmit(
        "control-flow-answer", "CONTROL FLOW (the reader gives up)", commands.CONTROL_FLOW,
        tlv.encode_all(fields))
    if data:
        raise EndingError("the answer to CONTROL FLOW holds data")
    reader.transcript.received("CONTROL FLOW answer", octets, "9000, no data")
    return []
