"""A stand-in for the vault's device role, to test the reader and the fault suite with.

It follows the same notes from the other side: checks what a device must check and
answers the status words of the notes. `alter` lets a test spoil any one value on its
way out, which is how the mutants are made.
"""

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Callable, Dict, List, Optional

from aliro_reader import ble, certificate, commands, crypto, tlv

Alter = Callable[[str, object], object]


class Refused(Exception):
    """Ends the session: a status word for the reader, a code for the caller."""

    def __init__(self, status_word: str, code: str, text: str):
        super().__init__(text)
        self.status_word = status_word
        self.code = code


@dataclass
class DeviceConfig:
    credential: crypto.PrivateKey
    groups: Dict[bytes, bytes]              # group identifier -> trusted point
    action: int = 1
    signed_time: Optional[str] = None
    revocation_time: Optional[str] = None
    proprietary: bytes = crypto.DEFAULT_A5
    version: bytes = b"\x01\x00"
    versions: bytes = b"\x01\x00"
    pass_problem: Optional[str] = None      # pass_missing | expired | not_yet_valid
    ephemeral: Optional[crypto.PrivateKey] = None
    deterministic: bool = False
    alter: Alter = field(default=lambda stage, value: value)


class SimulatedDevice:
    def __init__(self, config: DeviceConfig):
        self.config = config
        self.alter = config.alter
        self.state = "awaiting_auth0"
        self.refusal: Optional[Refused] = None
        self.status_word: Optional[str] = None
        self.events: List[dict] = []
        self.link: Optional[ble.SecureLink] = None
        self._auth0: dict = {}
        self._certificate: Optional[certificate.ReaderCertificate] = None
        self._certificate_loaded = self._certificate_bad = False
        self._chain = b""

    def open(self) -> List[bytes]:
        payload = ble.initiate_payload(self.config.proprietary)
        message = ble.Message(ble.NOTIFICATION, ble.INITIATE_RKE, payload).encode()
        return [self.alter("initiate", message)]

    def receive(self, octets: bytes) -> List[bytes]:
        """Raises `Refused` only when there is no status word to answer with."""
        self.status_word, self.events = None, []
        try:
            message = ble.decode(octets)
        except ble.MessageError as error:
            self._fail(Refused("", "protocol_error", str(error)))
            return []
        if message.protocol == ble.ACCESS_PROTOCOL and message.identifier == ble.REQUEST:
            return self._command(message.payload)
        try:
            return self._notification(message)
        except (Refused, ValueError) as error:
            code = getattr(error, "code", "protocol_error")
            self._fail(Refused("", code, str(error)))
            return []

    # --- commands ----------------------------------------------------------------

    def _command(self, octets: bytes) -> List[bytes]:
        try:
            data = self._dispatch(octets)
            status_word = "9000"
        except Refused as refused:
            data, status_word = b"", refused.status_word
            if status_word != "6A88":
                self._fail(refused)
        self.status_word = status_word
        answer = self.alter("answer-apdu", data + bytes.fromhex(status_word))
        return [self.alter("answer-message", ble.answer(answer))]

    def _dispatch(self, octets: bytes) -> bytes:
        try:
            cla, ins, p1, p2, data = commands.split_command(octets)
        except commands.APDUError as error:
            raise Refused("6701", "protocol_error", str(error)) from error
        if (cla, ins) == (0x00, 0xCA):
            raise Refused("6A88", "", "GET DATA is not supported")
        if cla not in (0x80, 0x90):
            raise Refused("6800", "protocol_error", f"class {cla:02X}")
        handlers = {commands.AUTH0: self._on_auth0, commands.LOAD_CERT: self._on_load_cert,
                    commands.AUTH1: self._on_auth1, commands.CONTROL_FLOW: self._on_control,
                    commands.EXCHANGE: self._on_exchange}
        if ins not in handlers:
            raise Refused("6D00", "protocol_error", f"instruction {ins:02X}")
        if (p1, p2) != (0, 0):
            raise Refused("6A86", "protocol_error", f"P1 P2 {p1:02X} {p2:02X}")
        self._chain += data
        if cla == 0x90:
            return b""
        whole, self._chain = self._chain, b""
        try:
            return handlers[ins](whole)
        except tlv.TLVError as error:
            raise Refused("6701", "protocol_error", str(error)) from error

    def _on_auth0(self, data: bytes) -> bytes:
        if self.state != "awaiting_auth0":
            raise Refused("6D00", "protocol_error", "AUTH0 does not belong here")
        found = tlv.decode_known(data, commands.AUTH0_LAYOUT)
        if found[0x41][0] not in (0, 1):
            raise Refused("6701", "protocol_error", "tag 41 is neither standard nor fast")
        if found[0x5C] != self.config.version:
            raise Refused("6985", "protocol_error", "version not offered")
        try:
            crypto.load_point(found[0x87])
        except crypto.CryptoError as error:
            raise Refused("6701", "protocol_error", str(error)) from error
        self._auth0 = found
        self._ephemeral = self.config.ephemeral or crypto.new_key()
        self.state = "awaiting_auth1"
        fields = [(0x86, crypto.point_of(self._ephemeral))]
        if found[0x41] == b"\x01":
            fields.append((0x9D, crypto.random_octets(64)))
        return tlv.encode_all(self.alter("auth0-fields", fields))

    def _on_load_cert(self, data: bytes) -> bytes:
        if self.state != "awaiting_auth1" or self._certificate_loaded:
            raise Refused("6D00", "protocol_error", "LOAD CERT does not belong here")
        self._certificate_loaded = True
        self._take_certificate(data)
        return self.alter("certificate-data", b"")

    def _take_certificate(self, data: bytes) -> None:
        try:
            self._certificate = certificate.parse(data)
        except certificate.CertificateError as error:
            raise Refused("6400", "protocol_error", str(error)) from error
        trusted = self.config.groups.get(self._auth0[0x4D][:16])
        try:
            if trusted:
                self._certificate.verify(trusted, datetime.now(timezone.utc))
        except certificate.CertificateError:
            self._certificate_bad = True

    def _on_auth1(self, data: bytes) -> bytes:
        if self.state != "awaiting_auth1":
            raise Refused("6D00", "protocol_error", "AUTH1 does not belong here")
        found = tlv.decode_known(data, commands.AUTH1_LAYOUT)
        if 0x90 in found:
            if self._certificate_loaded:
                raise Refused("6701", "protocol_error", "a second certificate")
            self._take_certificate(found[0x90])
        trusted = self.config.groups.get(self._auth0[0x4D][:16])
        if self.config.pass_problem:
            raise Refused("6982", self.config.pass_problem, "no usable pass")
        if trusted is None or self._certificate_bad:
            raise Refused("6982", "reader_untrusted", "group or certificate not trusted")
        transaction = self._transaction(trusted)
        signer = self._certificate.public_key if self._certificate else trusted
        try:
            crypto.verify_raw(signer, transaction.transcript(crypto.READER_USAGE), found[0x9E])
        except crypto.CryptoError as error:
            raise Refused("6982", "reader_untrusted", str(error)) from error
        self.events = [{"event": "reader_authenticated"}, {"event": "credential_presented"}]
        self.state = "awaiting_completion"
        return self._auth1_answer(transaction, found[0x41] == b"\x01")

    def _on_exchange(self, data: bytes) -> bytes:
        if self.state not in ("awaiting_completion", "awaiting_status"):
            raise Refused("6D00", "protocol_error", "EXCHANGE does not belong here")
        try:
            self._expedited_in.open(data)
        except crypto.CryptoError as error:
            raise Refused("6982", "protocol_error", str(error)) from error
        # Nothing to do but say success: the stand-in has no mailbox.
        return self._expedited_out.seal(bytes.fromhex("00020000"))

    def _on_control(self, data: bytes) -> bytes:
        self._fail(Refused("9000", "protocol_error", "the reader ended the transaction"))
        return b""

    # --- the AUTH1 answer ---------------------------------------------------------------

    def _transaction(self, trusted: bytes) -> crypto.Transaction:
        auth0 = self._auth0
        return crypto.Transaction(
            group_key=trusted, reader_identifier=auth0[0x4D], reader_ephemeral=auth0[0x87],
            device_ephemeral=crypto.point_of(self._ephemeral),
            transaction_identifier=auth0[0x4C], flags=auth0[0x41] + auth0[0x42],
            version=auth0[0x5C], proprietary=self.config.proprietary,
            command_extension=tlv.encode(0xB1, auth0[0xB1]) if 0xB1 in auth0 else b"")

    def _auth1_answer(self, transaction: crypto.Transaction, by_key: bool) -> bytes:
        config, alter = self.config, self.alter
        kdh = transaction.kdh(self._ephemeral, transaction.reader_ephemeral)
        keys = crypto.volatile_keys(kdh, transaction)
        self.link = alter("link", ble.SecureLink.for_device(
            crypto.ble_keys(keys.ble, config.versions, config.version)))
        point = crypto.point_of(config.credential)
        message = alter("transcript", transaction.transcript(crypto.DEVICE_USAGE))
        signature = crypto.sign_raw(config.credential, message, config.deterministic)
        fields = [(0x5A, point) if by_key else (0x4E, crypto.key_slot(point)),
                  (0x9E, signature), (0x5E, self._bitmap())]
        for tag, text in ((0x91, config.signed_time), (0x92, config.revocation_time)):
            if text:
                fields.append((tag, text.encode()))
        plaintext = alter("auth1-plaintext", tlv.encode_all(alter("auth1-fields", fields)))
        self._expedited_in = crypto.HalfChannel(keys.expedited_reader, crypto.TO_DEVICE)
        self._expedited_out = alter(
            "channel", crypto.HalfChannel(keys.expedited_device, crypto.TO_READER))
        return alter("auth1-sealed", self._expedited_out.seal(plaintext))

    def _bitmap(self) -> bytes:
        present = bool(self.config.signed_time) | bool(self.config.revocation_time) << 1
        return present.to_bytes(2, "big")

    # --- notifications -------------------------------------------------------------------

    def _notification(self, message: ble.Message) -> List[bytes]:
        kind = (message.protocol, message.identifier)
        if kind == (ble.NOTIFICATION, ble.EVENT) and self.link is None:
            self.events = [{"event": "busy" if message.payload == b"\x00\x00" else "error"}]
            return []
        expected = {"awaiting_completion": (ble.NOTIFICATION, ble.COMPLETED),
                    "awaiting_status": (ble.NOTIFICATION, ble.STATUS_CHANGED)}
        if kind != expected.get(self.state):
            raise Refused("", "protocol_error", f"{message.name} does not belong here")
        value = ble.single_attribute(self.link.open(message), 0, 2)
        if self.state == "awaiting_status":
            self.state = "finished"
            self.events = [{"event": "status", "detail": {0: "secured", 1: "unsecured"}.get(
                value[1], "unknown")}]
            if value[1] == self.config.action:
                self.events.append({"event": "access_granted"})
            return []
        self.events = [{"event": "access_protocol_completed"}]
        self.state = "awaiting_status"
        payload = self.alter("rke-payload", ble.attribute(0, bytes([self.config.action])))
        sealed = self.link.seal(ble.NOTIFICATION, ble.RKE_REQUEST, payload)
        return [self.alter("rke-message", sealed)]

    def _fail(self, refused: Refused) -> None:
        self.state, self.refusal, self.link = "failed", refused, None
        self.events.append({"event": "failed", "detail": str(refused)})
