"""The door reader of an RKE transaction over BLE, as a state machine.

Bytes in, bytes out: `receive` takes one BLE message of the device and returns the
messages to send back. Anything that is not exactly as it must be raises
`ReaderError`, and the run is over.
"""

from dataclasses import dataclass, field
from typing import List, Optional

from . import answers, ble, commands, crypto, tlv
from .certificate import CertificateError
from .transcript import Transcript

SECURE, UNSECURE = 0, 1
ACTIONS = {"secure": SECURE, "unsecure": UNSECURE}
STATES = {SECURE: "secured", UNSECURE: "unsecured"}


class ReaderError(Exception):
    """The device did something a reader must not accept; the text says what."""


@dataclass
class ReaderConfig:
    reader_identifier: bytes            # group (16) || sub-identifier (16)
    group_key: bytes                    # point the device was given for this group
    signing_key: crypto.PrivateKey
    credential: bytes                   # point of the credential that may enter
    variant: str = "direct"             # direct | loadcert | auth1cert
    certificate: bytes = b""            # compressed; for the two certificate variants
    identification: str = "key"         # key | slot: what AUTH1 asks for
    intent: str = "unsecure"            # the action the device is expected to request
    signed_time: Optional[str] = None   # `signed` of the Access Document, None for no document
    revocation_time: Optional[str] = None
    policy: int = 1                     # tag 42
    fast: bool = False                  # ask for a cryptogram, then go on with AUTH1
    known_persistent_key: Optional[bytes] = None
    version: bytes = b"\x01\x00"
    versions: bytes = b"\x01\x00"       # GATT list, for the BLE keys
    with_le: bool = True
    chunk: int = 255                    # command chaining cuts here
    ephemeral: crypto.PrivateKey = field(default_factory=crypto.new_key)
    transaction_identifier: bytes = field(default_factory=lambda: crypto.random_octets(16))
    deterministic: bool = False


class Reader:
    """One transaction. `state` is the name of what it waits for, `finished` or `failed`."""

    def __init__(self, config: ReaderConfig):
        if config.variant != "direct" and not config.certificate:
            raise ValueError(f"variant {config.variant} needs a certificate")
        self.config = config
        self.state = "initiate"
        self.transcript = Transcript()
        self.transaction: Optional[crypto.Transaction] = None
        self.keys: Optional[crypto.SessionKeys] = None
        self.persistent_key: Optional[bytes] = None
        self.link: Optional[ble.SecureLink] = None
        self._proprietary = b""
        self._chain: List[bytes] = []

    @property
    def finished(self) -> bool:
        return self.state == "finished"

    def receive(self, octets: bytes) -> List[bytes]:
        handler = getattr(self, "_on_" + self.state.replace("-", "_"), None)
        if handler is None:
            raise ReaderError(f"a message arrived although the run is {self.state}")
        waiting_for, self.state = self.state, "failed"
        try:
            message = ble.decode(octets)
            if (message.protocol, message.identifier) == (ble.NOTIFICATION, ble.EVENT):
                self.state = self._on_event(message, octets, waiting_for)
                return []
            return handler(message, octets)
        except (ValueError, CertificateError) as error:
            raise ReaderError(f"waiting for {waiting_for}: {error}") from error

    # --- device messages, in the order of a run ---------------------------------

    def _on_initiate(self, message: ble.Message, octets: bytes) -> List[bytes]:
        self._expect_kind(message, ble.NOTIFICATION, ble.INITIATE_RKE)
        length = len(message.payload) - 2
        self._proprietary = ble.single_attribute(message.payload, 0, length)
        if self.config.version not in ble.offered_versions(self._proprietary):
            raise ReaderError(f"version {self.config.version.hex()} is not offered")
        self.transcript.received(
            message.name, octets, f"protocol version {self.config.version.hex()} is offered")
        fields = commands.auth0_fields(
            self._flags(), self.config.version, crypto.point_of(self.config.ephemeral),
            self.config.transaction_identifier, self.config.reader_identifier)
        command = commands.apdu(commands.AUTH0, tlv.encode_all(fields), le=self.config.with_le)
        self.state = "auth0-answer"
        return [self._send("AUTH0 (reader key, nonce, reader identifier)", command)]

    def _on_auth0_answer(self, message: ble.Message, octets: bytes) -> List[bytes]:
        data = self._successful_answer(message)
        answer = answers.parse_auth0(data, self.config.fast)
        self.transaction = crypto.Transaction(
            group_key=self.config.group_key, reader_identifier=self.config.reader_identifier,
            reader_ephemeral=crypto.point_of(self.config.ephemeral),
            device_ephemeral=answer.device_ephemeral,
            transaction_identifier=self.config.transaction_identifier, flags=self._flags(),
            version=self.config.version, proprietary=self._proprietary,
            answer_extension=answer.extension)
        if answer.device_ephemeral == self.transaction.reader_ephemeral:
            raise ReaderError("the device sent the reader's own ephemeral key back")
        self.transcript.received("AUTH0 answer", octets,
                                 "9000, the device key is on the curve" + self._fast(answer))
        if self.config.variant == "loadcert":
            self.state = "certificate-answer"
            self._chain = commands.chained(
                commands.LOAD_CERT, self.config.certificate, self.config.with_le,
                self.config.chunk)
            return [self._send("LOAD CERT (reader certificate)", self._chain.pop(0))]
        return self._auth1()

    def _on_certificate_answer(self, message: ble.Message, octets: bytes) -> List[bytes]:
        if self._successful_answer(message):
            raise ReaderError("the answer to LOAD CERT holds data")
        self.transcript.received("LOAD CERT answer", octets, "9000, no data")
        if self._chain:
            self.state = "certificate-answer"
            return [self._send("LOAD CERT, next part", self._chain.pop(0))]
        return self._auth1()

    def _auth1(self) -> List[bytes]:
        config = self.config
        signature = crypto.sign_raw(
            config.signing_key, self.transaction.transcript(crypto.READER_USAGE),
            config.deterministic)
        carried = config.certificate if config.variant == "auth1cert" else b""
        data = tlv.encode_all(commands.auth1_fields(config.identification, signature, carried))
        self._chain = commands.chained(commands.AUTH1, data, config.with_le, config.chunk)
        self.state = "auth1-answer"
        what = "AUTH1 (reader signature" + (", certificate)" if carried else ")")
        return [self._send(what, self._chain.pop(0))]

    def _on_auth1_answer(self, message: ble.Message, octets: bytes) -> List[bytes]:
        data = self._successful_answer(message)
        if self._chain:
            if data:
                raise ReaderError("the answer to a part of a chained command holds data")
            self.transcript.received("AUTH1 part answer", octets, "9000, no data")
            self.state = "auth1-answer"
            return [self._send("AUTH1, next part", self._chain.pop(0))]
        self._derive()
        channel = crypto.HalfChannel(self.keys.expedited_device, crypto.TO_READER)
        plaintext = channel.open(data)
        answers.check_auth1(plaintext, self.transaction, answers.Expected(
            self.config.credential, self.config.identification, self.config.signed_time,
            self.config.revocation_time))
        shown = "credential key" if self.config.identification == "key" else "key slot"
        self.transcript.received(
            "AUTH1 answer (encrypted)", octets,
            f"9000, decrypted, {shown} known, device signature good, bitmap and times right")
        return [self._completed()]

    def _completed(self) -> bytes:
        # Reporting 1 (each connected device) in the top three bits; the bolt has not moved.
        before = UNSECURE if self.config.intent == "secure" else SECURE
        payload = ble.attribute(0, bytes([1 << 5, before]))
        self.state = "rke-request"
        message = self.link.seal(ble.NOTIFICATION, ble.COMPLETED, payload)
        return self.transcript.sent(
            "access protocol completed (encrypted)", message, "the credential is accepted")

    def _on_rke_request(self, message: ble.Message, octets: bytes) -> List[bytes]:
        self._expect_kind(message, ble.NOTIFICATION, ble.RKE_REQUEST)
        action = ble.single_attribute(self.link.open(message), 0, 1)[0]
        expected = ACTIONS[self.config.intent]
        if action != expected:
            raise ReaderError(f"the device asks for action {action}, expected {expected}")
        self.transcript.received(
            "RKE request (encrypted)", octets, f"decrypted, asks to {self.config.intent}")
        # Source 0 (unspecified), then the new status.
        payload = ble.attribute(0, bytes([0, expected]))
        status = self.link.seal(ble.NOTIFICATION, ble.STATUS_CHANGED, payload)
        self.state = "finished"
        return [self.transcript.sent(
            "reader status changed (encrypted)", status, f"the door is {STATES[expected]}")]

    def _on_event(self, message: ble.Message, octets: bytes, waiting_for: str) -> str:
        payload = self.link.open(message) if self.link else message.payload
        if payload != b"\x00\x00":
            raise ReaderError(f"the device reports error event {payload.hex()}")
        self.transcript.received("event", octets, "the device is busy")
        return waiting_for

    # --- helpers --------------------------------------------------------------------

    def _derive(self) -> None:
        kdh = self.transaction.kdh(self.config.ephemeral, self.transaction.device_ephemeral)
        self.keys = crypto.volatile_keys(kdh, self.transaction)
        self.persistent_key = crypto.persistent_key(
            kdh, self.transaction, self.config.credential)
        self.link = ble.SecureLink.for_reader(
            crypto.ble_keys(self.keys.ble, self.config.versions, self.config.version))

    def _fast(self, answer: answers.Auth0Answer) -> str:
        if not self.config.fast:
            return ""
        if self.config.known_persistent_key is None:
            return ", 64 octets in place of a cryptogram"
        block = crypto.fast_block(self.config.known_persistent_key, self.transaction,
                                  self.config.credential)
        known = crypto.open_cryptogram(block[0], answer.cryptogram) is not None
        return ", the cryptogram decrypts" if known else ", the cryptogram is not keyed"

    def _flags(self) -> bytes:
        return bytes([int(self.config.fast), self.config.policy])

    def _send(self, what: str, command: bytes) -> bytes:
        return self.transcript.sent(what, ble.command(command))

    def _successful_answer(self, message: ble.Message) -> bytes:
        self._expect_kind(message, ble.ACCESS_PROTOCOL, ble.RESPONSE)
        data, status_word = commands.split_answer(message.payload)
        if status_word != commands.SUCCESS:
            raise ReaderError(f"the device answers status word {status_word.hex().upper()}")
        return data

    @staticmethod
    def _expect_kind(message: ble.Message, protocol: int, identifier: int) -> None:
        if (message.protocol, message.identifier) != (protocol, identifier):
            wanted = ble.NAMES[(protocol, identifier)]
            raise ReaderError(f"{message.name} came where {wanted} belongs")
