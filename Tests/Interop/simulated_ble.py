"""The simulated device's BLE messages other than commands, and what a gateway may ask of it."""

import time
from typing import List, Optional

from aliro_reader import ble
from simulated_rules import Refused, require, strictly

STATUSES = {0: "secured", 1: "unsecured", 2: "jammed"}
ACTIONS = {"secure": 0, "unsecure": 1}
RANGING_KINDS = {"m1": 1, "m2": 2, "m3": 3, "m4": 4, "suspend_request": 5,
                 "suspend_response": 6, "resume_request": 7, "resume_response": 8}
URSK_UNAVAILABLE = bytes.fromhex("010103")
ERRORS = {0: "unknown", 1: "no resources", 2: "wrong parameters", 3: "URSK unavailable"}


def notification(device, message: ble.Message) -> List[bytes]:
    kind = (message.protocol, message.identifier)
    require(kind in ble.NAMES and kind not in ((0, 1), (2, 4), (2, 5), (2, 6)),
            "a message is one that readers send", "")
    require(not device.atomic, "only EXCHANGE comes inside an atomic session", "")
    payload = _open(device, message)
    if kind == (ble.NOTIFICATION, ble.EVENT):
        return _event(device, payload)
    if message.protocol == ble.UWB:
        require(device.link is not None, "ranging comes after the keys", "")
        if not device.ready_for_ranging:
            return [] if device.link is None else [
                device.link.seal(ble.NOTIFICATION, ble.EVENT, URSK_UNAVAILABLE)]
        names = {number: name for name, number in RANGING_KINDS.items()}
        device.ranging = [(names[message.identifier], payload)]
        return []
    if kind == (ble.NOTIFICATION, ble.COMPLETED):
        require(device.state == "awaiting_completion", "completion comes once, after the keys", "")
        _status(payload)
        return _completed(device)
    if kind != (ble.NOTIFICATION, ble.STATUS_CHANGED):
        return []       # time synchronisation and the like
    require(device.link is not None, "a status comes after the keys", "")
    return _status_changed(device, payload)


def _open(device, message: ble.Message) -> bytes:
    if device.link is None:
        return message.payload
    before = device.link.incoming.counter
    payload = strictly(ValueError, "a sealed message opens at its counter", "",
                       lambda: device.link.open(message), lambda: None)
    if payload is None:
        # A weak vault that looks at the message all the same, as sealed or as plain.
        device.link.incoming.counter = before
        return bytes.fromhex("00022001")
    return payload


def _event(device, payload: bytes) -> List[bytes]:
    if payload == ble.BUSY:
        device.events = [{"event": "busy"}]
        device.deadline = time.monotonic() + device.config.auth0_timeout
        return []
    require(ble.is_attributes(payload), "a notification holds whole attributes", "")
    device.events = [{"event": "error", "detail": ERRORS.get((payload + bytes(3))[2], "unknown")}]
    return []


def _status(payload: bytes) -> Optional[int]:
    """The state of the bolt; None when it is not told in the way that is known."""
    require(ble.is_attributes(payload), "a notification holds whole attributes", "")
    return payload[3] if len(payload) == 4 and payload[:2] == b"\x00\x02" else None


def _completed(device) -> List[bytes]:
    if not device.standard and not device.heard:
        device.events.append({"event": "reader_authenticated"})
    device.events.append({"event": "access_protocol_completed"})
    if device.config.intent == "approach":
        device.state = "accepted"
        return []
    device.state = "awaiting_status"
    return [_rke(device, ACTIONS[device.config.intent])]


def _rke(device, action: int) -> bytes:
    device.action = action
    payload = device.alter("rke-payload", ble.attribute(0, bytes([action])))
    return device.alter("rke-message", device.link.seal(
        ble.NOTIFICATION, ble.RKE_REQUEST, payload))


def _status_changed(device, payload: bytes) -> List[bytes]:
    value, words = _status(payload), STATUSES.get(_status(payload), "unknown")
    asked = device.state == "awaiting_status" or device.ready_for_ranging
    if not asked or value not in ACTIONS.values():
        # Told at another time, or not a state that was asked for: nothing comes of it.
        device.events.append({"event": "status", "detail": words})
        return []
    device.finish(value == getattr(device, "action", 1), words)
    return []


def request(device, name: str, ranging: Optional[tuple]) -> List[bytes]:
    if device.state != "accepted":
        raise Refused("", "protocol_error", "the reader has not accepted the credential")
    if name in ACTIONS:
        device.state = "awaiting_status"
        return [_rke(device, ACTIONS[name])]
    seal = device.link.seal
    if name in ("initiate_ranging", "resume_ranging"):
        if not device.ursk:
            raise Refused("", "protocol_error", "the reader has not asked for the ranging key")
        device.ready_for_ranging = True
        payload = ble.attribute(0 if name == "initiate_ranging" else 1, b"")
        messages = [device.alter("time-message", seal(
            ble.SUPPLEMENTARY, ble.TIME_SYNCHRONISATION, bytes(8)))]
        sealed = seal(ble.NOTIFICATION, ble.RANGING, device.alter("ranging-payload", payload))
        return messages + [device.alter("initiate-ranging", sealed)]
    kind, payload = ranging
    return [device.alter("ranging-message", seal(
        ble.UWB, RANGING_KINDS[kind], device.alter("m-payload", payload)))]
