"""The reader side of one Aliro transaction, over BLE or NFC: octets in, octets out.

`start` returns what the reader sends first, `receive` takes one message of the device (a BLE
message or an answer APDU) and returns those to send back. Anything that is not exactly as it
must be raises `ReaderError`, and the run is over. The phases themselves are generators, in
`expedited`, `session` and `ending`, that hand out messages and are given the answers.
"""

from dataclasses import dataclass, field
from typing import Callable, Generator, List, Optional

from . import ble, commands, crypto, ending, exchange, expedited, session
from .step_up import Request
from .transcript import Transcript

Steps = Generator[List[bytes], bytes, None]


class ReaderError(Exception):
    """The device did something a reader must not accept; the text says what."""


@dataclass
class ReaderConfig:
    reader_identifier: bytes            # group (16) || sub-identifier (16)
    group_key: bytes                    # point the device was given for this group
    signing_key: crypto.PrivateKey
    credential: bytes                   # point of the credential that may enter
    transport: str = "ble"              # ble | nfc
    variant: str = "direct"             # direct | loadcert | auth1cert
    certificate: bytes = b""            # compressed; for the two certificate variants
    identification: str = "key"         # key | slot: what AUTH1 asks for
    intent: str = "unsecure"            # what the device is for: unsecure | secure | approach
    signed_time: Optional[str] = None   # `signed` of the Access Document, None for no document
    revocation_time: Optional[str] = None
    policy: int = 1                     # tag 42
    fast: bool = False                  # ask for a cryptogram
    known_persistent_key: Optional[bytes] = None
    always_auth1: bool = False          # go through AUTH1 although the cryptogram is good
    extension: bytes = b""              # value of tag B1
    mailbox: Optional[exchange.Mailbox] = None
    exchanges: List[exchange.Plan] = field(default_factory=list)
    step_up: Optional[Request] = None
    step_up_late: bool = False          # BLE: only after `access protocol completed`
    ranging: bool = False               # BLE approach: M1 to M4 before the status
    outcome: Optional[bytes] = None     # NFC: tag 97; the usual one says what the intent asks for
    control_flow: Optional[bytes] = None    # S1 S2: give up in place of an end
    version: bytes = b"\x01\x00"
    versions: bytes = b"\x01\x00"       # GATT list, for the BLE keys
    with_le: bool = True
    chunk: int = 255                    # command chaining cuts here
    ephemeral: crypto.PrivateKey = field(default_factory=crypto.new_key)
    transaction_identifier: bytes = field(default_factory=lambda: crypto.random_octets(16))
    deterministic: bool = False
    alter: Callable = field(default=lambda stage, value: value)     # spoils what is sent


class Reader:
    """One transaction. `state` is the name of what it waits for, `finished` or `failed`."""

    def __init__(self, config: ReaderConfig):
        if config.variant != "direct" and not config.certificate:
            raise ValueError(f"variant {config.variant} needs a certificate")
        self.config = config
        self.over_ble = config.transport == "ble"
        self.state = ""
        self.transcript = Transcript()
        self.proprietary = b""
        self.transaction: Optional[crypto.Transaction] = None
        self.keys: Optional[crypto.SessionKeys] = None
        self.persistent_key: Optional[bytes] = None
        self.channel: Optional[crypto.Channel] = None       # expedited, then step-up
        self.link: Optional[ble.SecureLink] = None
        self.keyed = False              # the cryptogram was a good one
        self.authenticated = False      # AUTH1 was answered
        self.documents: dict = {}       # what step-up showed: document type -> items
        self.sent: List[tuple] = []     # (name, message) of all that was sent
        self._script = self._run()
        self._first = next(self._script)

    @property
    def finished(self) -> bool:
        return self.state == "finished"

    def start(self) -> List[bytes]:
        """SELECT over NFC; over BLE the device speaks first."""
        return self._first

    def receive(self, octets: bytes) -> List[bytes]:
        if self.state in ("finished", "failed"):
            raise ReaderError(f"a message arrived although the run is {self.state}")
        waiting_for, self.state = self.state, "failed"
        try:
            return self._script.send(octets)
        except StopIteration as end:
            self.state = "finished"
            return end.value or []
        except (ValueError, ReaderError) as error:
            raise ReaderError(f"waiting for {waiting_for}: {error}") from error

    def _run(self) -> Steps:
        config = self.config
        yield from expedited.begin(self)
        yield from expedited.auth0(self)
        if not self.keyed or config.always_auth1:
            if config.variant == "loadcert":
                yield from expedited.load_cert(self)
            yield from expedited.auth1(self)
        for plan in config.exchanges:
            yield from session.exchange(self, plan)
        if config.step_up and not config.step_up_late:
            yield from session.step_up(self)
        if config.control_flow is not None:
            return (yield from ending.control_flow(self))
        return (yield from (ending.over_ble if self.over_ble else ending.over_nfc)(self))

    # --- for the phases ------------------------------------------------------------------

    def alter(self, stage: str, value):
        return self.config.alter(stage, value)

    def note_sent(self, what: str, message: bytes, name: str, remark: str = "") -> bytes:
        self.sent.append((name, message))
        return self.transcript.sent(what, message, remark)

    def wait(self, state: str, messages: List[bytes]) -> Generator[List[bytes], bytes, bytes]:
        """Sends, and returns the next message that is not a busy event."""
        while True:
            self.state = state
            octets = yield messages
            if not self.over_ble or octets[:2] != bytes([ble.NOTIFICATION, ble.EVENT]):
                return octets
            event = ble.decode(octets)
            payload = self.link.open(event) if self.link else event.payload
            if payload != ble.BUSY:
                raise ReaderError(f"the device reports error event {payload.hex()}")
            self.transcript.received("event", octets, "the device is busy")
            messages = []

    def transmit(self, state: str, what: str, ins: int, data: bytes
                 ) -> Generator[List[bytes], bytes, tuple]:
        """One command with its chaining, both ways: the answer's data, and its last message."""
        name = commands.NAMES[ins]
        data = self.alter(f"{name} data", data)
        le = self.config.with_le and ins != commands.CONTROL_FLOW
        parts = commands.chained(ins, data, le, self.config.chunk)
        for number, part in enumerate(parts[:-1], 1):
            shown, _, octets = yield from self._apdu(
                state, f"{what}, part {number}", f"{name} part", part)
            if shown:
                raise ReaderError("the answer to a part of a chained command holds data")
            self.transcript.received(f"{name} part answer", octets, "9000, no data")
        return (yield from self._collect(state, name, (yield from self._apdu(
            state, what, name, parts[-1]))))

    def _collect(self, state: str, name: str, answer: tuple):
        """Fetches what a 61xx announces, and sees that it was as much as announced."""
        whole, left, octets = answer
        while left is not None:
            announced = left
            self.transcript.received(f"{name} answer, part", octets, f"61{left:02X}")
            more = commands.apdu(commands.GET_RESPONSE, b"")
            data, left, octets = yield from self._apdu(state, "GET RESPONSE", "GET RESPONSE", more)
            if not data:
                raise ReaderError("an answer to GET RESPONSE without data")
            whole += data
            if len(whole) > commands.WHOLE_LIMIT:
                raise ReaderError("an answer in parts without an end")
            # 61 00 stands for 256 octets or more.
            rest = len(data) + (left or 0)
            if announced != (rest if rest < 256 and left != 0 else 0):
                raise ReaderError(f"61{announced:02X} announced what is {rest} octets")
        return whole, octets

    def _apdu(self, state: str, what: str, name: str, apdu: bytes):
        """Sends one APDU; returns data, the octets left (None at the end), and the message."""
        apdu = self.alter(f"{name} apdu", apdu)
        message = self.alter(f"{name} frame", ble.command(apdu)) if self.over_ble else apdu
        octets = yield from self.wait(state, [self.note_sent(what, message, name)])
        payload = octets
        if self.over_ble:
            answer = ble.decode(octets)
            self.expect(answer, ble.ACCESS_PROTOCOL, ble.RESPONSE)
            payload = answer.payload
        data, word = commands.split_answer(payload)
        if len(data) > commands.ANSWER_LIMIT:
            raise ReaderError(f"an answer of {len(data)} octets that should be in parts")
        if word[0] == 0x61 and not name.endswith(" part"):
            return data, word[1], octets
        if word != commands.SUCCESS:
            raise ReaderError(f"the device answers status word {word.hex().upper()}")
        return data, None, octets

    def notify(self, what: str, kind: tuple, payload: bytes, remark: str = "") -> bytes:
        """A sealed message that is no APDU, ready to be sent."""
        name = ble.NAMES[kind]
        sealed = self.link.seal(*kind, self.alter(f"{name} payload", payload))
        message = self.alter(f"{name} frame", sealed)
        return self.note_sent(f"{what} (encrypted)", message, name, remark)

    @staticmethod
    def expect(message: ble.Message, protocol: int, identifier: int) -> None:
        if (message.protocol, message.identifier) != (protocol, identifier):
            wanted = ble.NAMES[(protocol, identifier)]
            raise ReaderError(f"{message.name} came where {wanted} belongs")
