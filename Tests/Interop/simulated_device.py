"""A stand-in for the vault's device role, to test the reader and the fault suite with.

It follows the same notes from the other side: checks what a device must check and answers the
status words of the notes. Every check is a rule with a name (`require`), and any rule can be
left out (`IGNORED`): that is how weak vaults are made. `alter` lets a test spoil any one value
on its way out, which is how the mutants are made. The parts behind AUTH1 are in
`simulated_services` and `simulated_ble`.
"""

import time
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional

import simulated_auth
import simulated_ble
import simulated_services
from aliro_reader import ble, commands, crypto, exchange, selection, tlv
from simulated_rules import Refused, require, strictly

Alter = Callable[[str, object], object]
CHAIN_LIMIT = 32768
NO_KEYS = bytes(32), bytes(32)
STEP_UP_A5 = bytes.fromhex("A50480020000")      # without versions


@dataclass
class DeviceConfig:
    credential: crypto.PrivateKey
    groups: Dict[bytes, bytes]              # group identifier -> trusted point
    transport: str = "ble"
    intent: str = "unsecure"
    signed_time: Optional[str] = None
    revocation_time: Optional[str] = None
    documents: Dict[str, bytes] = field(default_factory=dict)   # document type -> octets
    mailbox: Optional[exchange.Mailbox] = None
    persistent: Dict[bytes, bytes] = field(default_factory=dict)    # reader identifier -> key
    user_confirmed: bool = False
    auth0_timeout: float = 2.5              # seconds, over BLE
    proprietary: bytes = crypto.DEFAULT_A5
    version: bytes = b"\x01\x00"
    versions: bytes = b"\x01\x00"
    pass_problem: Optional[str] = None      # pass_missing | expired | not_yet_valid
    ephemeral: Optional[crypto.PrivateKey] = None
    deterministic: bool = False
    answer_limit: int = commands.ANSWER_LIMIT
    alter: Alter = field(default=lambda stage, value: value)


class SimulatedDevice:
    def __init__(self, config: DeviceConfig):
        self.config = config
        self.alter = config.alter
        self.over_ble = config.transport == "ble"
        self.refusal: Optional[Refused] = None
        self.status_word: Optional[str] = None
        self.events: List[dict] = []
        self.ranging: List[tuple] = []      # (kind, payload) decrypted for the caller
        self.disconnect = False
        self.deadline = time.monotonic() + config.auth0_timeout
        self.reset("awaiting_auth0" if self.over_ble else "awaiting_select")

    def reset(self, state: str) -> None:
        """A new transaction: no key, certificate or rest of an answer survives."""
        self.state = state
        self.auth0_fields: dict = {}
        self.certificate = None
        self.certificate_loaded = self.certificate_bad = False
        self.channel: Optional[crypto.Channel] = None
        self.step_up_channel: Optional[crypto.Channel] = None
        self.step_up_keys = NO_KEYS
        self.in_step_up = self.standard = self.ursk = self.heard = False
        self.link: Optional[ble.SecureLink] = None
        self.ephemeral: Optional[crypto.PrivateKey] = None
        self.ready_for_ranging = False
        self.atomic = False                 # an atomic session of the mailbox is open
        self.held: list = []                # its writes
        self._chain, self._chained_ins = b"", None
        self.rest = b""                     # of an answer in parts

    def open(self) -> List[bytes]:
        if not self.over_ble:
            return []
        kind = ble.INITIATE if self.config.intent == "approach" else ble.INITIATE_RKE
        payload = ble.initiate_payload(self.config.proprietary)
        return [self.alter("initiate", ble.Message(ble.NOTIFICATION, kind, payload).encode())]

    def receive(self, octets: bytes) -> List[bytes]:
        self.status_word, self.events, self.ranging = None, [], []
        if not self.over_ble:
            return [self.answer(octets)]
        try:
            in_time = self.state != "awaiting_auth0" or time.monotonic() <= self.deadline
            require(in_time, "AUTH0 comes in time", "", "protocol_error")
            message = strictly(ble.MessageError, "a message is framed", "",
                               lambda: ble.decode(octets), lambda: ble.Message(*octets[:2], b""))
            if (message.protocol, message.identifier) == (ble.ACCESS_PROTOCOL, ble.REQUEST):
                return [self.alter("answer-message", ble.answer(self.answer(message.payload)))]
            return simulated_ble.notification(self, message)
        except (Refused, ValueError) as error:
            self.fail(error if isinstance(error, Refused) else Refused(
                "", "protocol_error", str(error)))
            return []

    def request(self, request: str, ranging: Optional[tuple] = None) -> List[bytes]:
        """What the gateway asks for once the reader has accepted; raises `Refused`."""
        self.status_word, self.events, self.ranging = None, [], []
        return simulated_ble.request(self, request, ranging)

    # --- commands ----------------------------------------------------------------

    def answer(self, octets: bytes) -> bytes:
        """The answer APDU."""
        try:
            data, status_word = self._dispatch(octets), "9000"
            if len(data) > self.config.answer_limit:
                data, status_word = self._part(data)
        except Refused as refused:
            data, status_word = b"", refused.status_word
            if not refused.harmless:
                self.fail(refused)
        self.status_word = status_word
        return self.alter("answer-apdu", data + bytes.fromhex(status_word))

    def _part(self, data: bytes) -> tuple:
        limit = self.config.answer_limit
        data, self.rest = data[:limit], data[limit:]
        left = min(len(self.rest), 256) % 256
        return self.alter("part", (data, f"61{left:02X}"))

    def _dispatch(self, octets: bytes) -> bytes:
        cla, ins, p1, p2, data = strictly(
            commands.APDUError, "a command has the form of one", "6701",
            lambda: commands.split_command(octets), lambda: (*octets[:4], octets[5:]))
        rest, self.rest = self.rest, b""
        if (cla, ins) == (0x00, 0xCA):
            raise Refused("6A88", "", "GET DATA is not supported", harmless=True)
        require(ins in commands.NAMES or cla not in (0x00, 0x80, 0x90),
                "an instruction is a known one", "6D00")
        require(cla & ~commands.CHAINING == commands.class_of(ins),
                "a command has its class", "6800")
        ins = ins if ins in commands.NAMES else commands.CONTROL_FLOW
        harmless = ins == commands.SELECT
        expected = (0x04 if harmless else 0x00, 0x00)
        require((p1, p2) == expected, "P1 and P2 are those of the command", "6A86",
                harmless=harmless)
        require(not self.atomic or ins in (commands.EXCHANGE, commands.GET_RESPONSE),
                "only EXCHANGE comes inside an atomic session", "6900")
        if ins == commands.GET_RESPONSE:
            require(rest != b"", "GET RESPONSE has something left to fetch", "6D00")
            require(data == b"", "GET RESPONSE holds no data", "6701")
            return self.alter("rest", rest or bytes(1))
        if self._chained_ins not in (None, ins):
            self._chain = b""
        self._chain, self._chained_ins = self._chain + data, ins
        require(len(self._chain) <= CHAIN_LIMIT, "a chain has an end", "6700", "too_large")
        if cla & commands.CHAINING:
            return self.alter("part-answer", b"")
        whole, self._chain, self._chained_ins = self._chain, b"", None
        handlers = {
            commands.SELECT: _select, commands.AUTH0: simulated_auth.auth0,
            commands.LOAD_CERT: simulated_auth.load_cert, commands.AUTH1: simulated_auth.auth1,
            commands.EXCHANGE: simulated_services.exchange,
            commands.ENVELOPE: simulated_services.envelope, commands.CONTROL_FLOW: _control_flow}
        try:
            return handlers[ins](self, whole)
        except tlv.TLVError as error:
            raise Refused("6701", "protocol_error", f"TLV: {error}") from error

    def finish(self, success: bool, words: str) -> None:
        self.state = "finished"
        self.events += [{"event": "status", "detail": words},
                        {"event": "access_granted" if success else "access_denied",
                         "detail": words}]
        self.disconnect = True

    def fail(self, refused: Refused) -> None:
        events = self.events + [{"event": "failed", "detail": str(refused)}]
        self.reset("failed")
        self.refusal, self.events, self.disconnect = refused, events, True


def _select(device: SimulatedDevice, aid: bytes) -> bytes:
    require(not device.over_ble, "SELECT belongs to NFC", "6D00")
    known = (commands.EXPEDITED_AID, commands.STEP_UP_AID)
    require(aid in known, "SELECT names a known application", "6A82", harmless=True)
    if aid == commands.STEP_UP_AID:
        require(device.standard, "the step-up application is selected after AUTH1", "6D00")
        device.in_step_up = True
        return device.alter("step-up-fci", selection.encode_fci(aid, STEP_UP_A5))
    device.reset("awaiting_auth0")
    return device.alter("fci", selection.encode_fci(
        commands.EXPEDITED_AID, device.config.proprietary))


def _control_flow(device: SimulatedDevice, data: bytes) -> bytes:
    found = tlv.decode_known(data, commands.CONTROL_FLOW_LAYOUT)
    device.fail(Refused("9000", "protocol_error", f"the reader gave up: {found[0x41].hex()}"))
    return device.alter("control-data", b"")
