"""BLE messages: `protocol || id || payload length || payload`, and their encryption.

Access-protocol messages (APDUs) are never encrypted at this layer; all others are
as soon as both sides hold BLE keys.
"""

from typing import NamedTuple

from . import crypto

ACCESS_PROTOCOL, UWB, NOTIFICATION, SUPPLEMENTARY = 0, 1, 2, 3

REQUEST, RESPONSE = 0, 1
EVENT, RANGING, STATUS_CHANGED, COMPLETED, RKE_REQUEST = 0, 1, 2, 3, 4
INITIATE, INITIATE_RKE = 5, 6
M1, M2, M3, M4 = 1, 2, 3, 4
TIME_SYNCHRONISATION = 0

TAG_OCTETS = 16
BUSY = b"\x00\x00"       # the payload of an event

NAMES = {
    (0, 0): "command", (0, 1): "answer",
    (1, 1): "M1", (1, 2): "M2", (1, 3): "M3", (1, 4): "M4",
    (1, 5): "suspend request", (1, 6): "suspend response", (1, 7): "resume request",
    (1, 8): "resume response",
    (2, 0): "event", (2, 1): "ranging", (2, 2): "reader status changed",
    (2, 3): "access protocol completed",
    (2, 4): "RKE request", (2, 5): "initiate access protocol",
    (2, 6): "initiate access protocol for RKE", (3, 0): "time synchronisation",
}


class MessageError(ValueError):
    """A BLE message is not framed as it should be."""


class Message(NamedTuple):
    protocol: int
    identifier: int
    payload: bytes

    @property
    def name(self) -> str:
        kind = (self.protocol, self.identifier)
        return NAMES.get(kind, f"message {kind[0]:02X} {kind[1]:02X}")

    def encode(self) -> bytes:
        return header(self.protocol, self.identifier, len(self.payload)) + self.payload


def header(protocol: int, identifier: int, length: int) -> bytes:
    return bytes([protocol, identifier]) + length.to_bytes(2, "big")


def decode(octets: bytes) -> Message:
    """One message is one L2CAP SDU: the length must use up the octets exactly."""
    if len(octets) < 4:
        raise MessageError(f"{len(octets)} octets are fewer than a header")
    length = int.from_bytes(octets[2:4], "big")
    if len(octets) - 4 != length:
        raise MessageError(f"the header says {length} octets, {len(octets) - 4} follow")
    return Message(octets[0], octets[1], octets[4:])


def command(apdu: bytes) -> bytes:
    return Message(ACCESS_PROTOCOL, REQUEST, apdu).encode()


def answer(apdu: bytes) -> bytes:
    return Message(ACCESS_PROTOCOL, RESPONSE, apdu).encode()


def attribute(identifier: int, value: bytes) -> bytes:
    return bytes([identifier, len(value)]) + value


def is_attributes(payload: bytes) -> bool:
    """Whether a payload is whole attributes, whichever they are."""
    while payload:
        if len(payload) < 2 or len(payload) < 2 + payload[1]:
            return False
        payload = payload[2 + payload[1]:]
    return True


def single_attribute(payload: bytes, identifier: int, length: int) -> bytes:
    """The value of the one attribute that `payload` must consist of."""
    if len(payload) < 2 or payload[0] != identifier or payload[1] != length \
            or len(payload) != 2 + length:
        raise MessageError(
            f"payload {payload.hex()} is not one attribute {identifier} of {length} octets")
    return payload[2:]


def initiate_payload(proprietary: bytes) -> bytes:
    return attribute(0, proprietary)


class SecureLink:
    """Both directions of the BLE channel as one side sees them."""

    def __init__(self, outgoing: crypto.HalfChannel, incoming: crypto.HalfChannel):
        self.outgoing = outgoing
        self.incoming = incoming

    @classmethod
    def for_reader(cls, keys: tuple) -> "SecureLink":
        reader, device = keys
        return cls(crypto.HalfChannel(reader, crypto.TO_DEVICE),
                   crypto.HalfChannel(device, crypto.TO_READER))

    @classmethod
    def for_device(cls, keys: tuple) -> "SecureLink":
        reader, device = keys
        return cls(crypto.HalfChannel(device, crypto.TO_READER),
                   crypto.HalfChannel(reader, crypto.TO_DEVICE))

    def seal(self, protocol: int, identifier: int, payload: bytes) -> bytes:
        # The associated data holds the plaintext length, the header the sealed one.
        associated = header(protocol, identifier, len(payload))
        sealed = self.outgoing.seal(payload, associated)
        return Message(protocol, identifier, sealed).encode()

    def open(self, message: Message) -> bytes:
        if len(message.payload) < TAG_OCTETS:
            raise MessageError(f"{message.name} came in clear or cut short")
        length = len(message.payload) - TAG_OCTETS
        associated = header(message.protocol, message.identifier, length)
        return self.incoming.open(message.payload, associated)
