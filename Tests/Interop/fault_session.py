"""A hand-driven presentation: writes what no good reader would, and watches the vault.

Whatever the fault, `FaultSession` also looks for what must never happen: an answered
AUTH1, identifying octets in clear, an RKE request, or a grant.
"""

import base64
from dataclasses import dataclass, field
from typing import List, Optional

from aliro_reader import ble, commands, crypto, tlv
from vault_client import VaultClient, VaultError

VERSION = b"\x01\x00"


class Surprise(AssertionError):
    """A step that should have worked did not, so the fault was never reached."""


@dataclass
class Answer:
    """What came back for one message, from either the result or the error."""

    label: str
    status_word: str = ""
    data: bytes = b""
    state: str = ""
    code: str = ""              # refusal.code, or data.code of a JSON-RPC error
    is_error: bool = False      # a JSON-RPC error rather than a result
    messages: List[bytes] = field(default_factory=list)
    events: List[str] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        return self.is_error or self.state == "failed" or self.status_word not in ("", "9000")

    def __str__(self) -> str:
        kind = "error" if self.is_error else f"state {self.state}"
        return f"{self.label}: {kind}, code {self.code or '-'}, SW {self.status_word or '-'}"


class FaultSession:
    def __init__(self, vault: VaultClient, namespace: str, door, credential: bytes,
                 versions: bytes = VERSION, intent: str = "unsecure"):
        self.vault, self.door, self.credential = vault, door, credential
        self.ephemeral = crypto.new_key()
        self.transaction_identifier = crypto.random_octets(16)
        self.reader_identifier = door.reader_identifier
        self.flags = b"\x00\x01"
        self.transaction: Optional[crypto.Transaction] = None
        self.keys: Optional[crypto.SessionKeys] = None
        self.link: Optional[ble.SecureLink] = None
        self.leaks: List[str] = []
        self.auth1_answered = False
        opened = vault.call("presentation.open", {
            "namespace": namespace, "transport": "ble", "intent": intent,
            "reader_versions": _text(versions), "version": _text(VERSION)})
        self.presentation = opened["presentation"]
        self.opening = _as_answer("OPEN", opened)
        first = ble.decode(self.opening.messages[0])
        self.proprietary = ble.single_attribute(first.payload, 0, len(first.payload) - 2)

    # --- sending -----------------------------------------------------------------------

    def send(self, label: str, message: bytes) -> Answer:
        try:
            answer = _as_answer(label, self.vault.call("presentation.exchange", {
                "presentation": self.presentation, "message": _text(message)}))
        except VaultError as error:
            answer = Answer(label, code=error.code, is_error=True)
        self._watch(answer)
        return answer

    def apdu(self, label: str, octets: bytes) -> Answer:
        return self.send(label, ble.command(octets))

    def good(self, answer: Answer) -> Answer:
        if answer.refused:
            raise Surprise(f"this step should have worked: {answer}")
        return answer

    def _watch(self, answer: Answer) -> None:
        if "access_granted" in answer.events:
            self.leaks.append(f"{answer.label}: access was granted")
        for message in answer.messages:
            if message[:2] == b"\x02\x04":
                self.leaks.append(f"{answer.label}: an RKE request was sent")
            for name, secret in (("x of the credential key", self.credential[1:33]),
                                 ("key slot", crypto.key_slot(self.credential))):
                if secret in message:
                    self.leaks.append(f"{answer.label}: {name} in clear")
        if answer.label == "AUTH1" and answer.status_word == "9000" and answer.data:
            self.auth1_answered = True

    # --- the steps of a run, each with everything changeable ------------------------------

    def auth0_pairs(self, **changes: bytes) -> tlv.Pairs:
        pairs = commands.auth0_fields(
            self.flags, VERSION, crypto.point_of(self.ephemeral),
            self.transaction_identifier, self.reader_identifier)
        named = {f"t{tag:02X}": tag for tag, _ in pairs}
        wanted = {named[name]: value for name, value in changes.items()}
        return [(tag, wanted.get(tag, value)) for tag, value in pairs]

    def auth0(self, data: Optional[bytes] = None, **changes: bytes) -> Answer:
        octets = tlv.encode_all(self.auth0_pairs(**changes)) if data is None else data
        answer = self.apdu("AUTH0", commands.apdu(commands.AUTH0, octets))
        if answer.status_word == "9000":
            self._take_device_key(answer.data)
        return answer

    def _take_device_key(self, data: bytes) -> None:
        device = dict(tlv.decode_all(data))[0x86]
        crypto.load_point(device)
        self.transaction = crypto.Transaction(
            group_key=crypto.point_of(self.door.trusted),
            reader_identifier=self.reader_identifier,
            reader_ephemeral=crypto.point_of(self.ephemeral), device_ephemeral=device,
            transaction_identifier=self.transaction_identifier, flags=self.flags,
            proprietary=self.proprietary)

    def begin(self) -> "FaultSession":
        self.good(self.auth0())
        return self

    def load_cert(self, compressed: Optional[bytes] = None) -> Answer:
        data = self.door.certificate() if compressed is None else compressed
        return self.apdu("LOAD CERT", commands.apdu(commands.LOAD_CERT, data))

    def signature(self, key=None, usage: bytes = crypto.READER_USAGE, **changes) -> bytes:
        facts = self.transaction
        if changes:
            facts = crypto.Transaction(**{**facts.__dict__, **changes})
        return crypto.sign_raw(key or self.door.trusted, facts.transcript(usage))

    def auth1(self, key=None, signature: Optional[bytes] = None, certificate: bytes = b"",
              data: Optional[bytes] = None, **signing) -> Answer:
        if data is None:
            signed = self.signature(key, **signing) if signature is None else signature
            data = tlv.encode_all(commands.auth1_fields("key", signed, certificate))
        parts = commands.chained(commands.AUTH1, data)
        for part in parts[:-1]:
            self.good(self.apdu("AUTH1 part", part))
        return self.apdu("AUTH1", parts[-1])

    def accepted(self, versions: bytes = VERSION) -> "FaultSession":
        """Through AUTH1, for faults of what comes behind it."""
        self.begin()
        answer = self.good(self.auth1())
        kdh = self.transaction.kdh(self.ephemeral, self.transaction.device_ephemeral)
        self.keys = crypto.volatile_keys(kdh, self.transaction)
        crypto.HalfChannel(self.keys.expedited_device, crypto.TO_READER).open(answer.data)
        self.link = ble.SecureLink.for_reader(crypto.ble_keys(self.keys.ble, versions, VERSION))
        return self

    def completed_message(self, identifier: int = ble.COMPLETED) -> bytes:
        return self.link.seal(ble.NOTIFICATION, identifier, bytes.fromhex("00022000"))


def _text(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


def _as_answer(label: str, result: dict) -> Answer:
    """Also checks that the result agrees with the octets it carries."""
    messages = [base64.b64decode(message, validate=True) for message in result["messages"]]
    answer = Answer(label, state=result["state"], messages=messages,
                    code=result.get("refusal", {}).get("code", ""),
                    events=[event["event"] for event in result["events"]])
    apdus = [m for m in map(ble.decode, messages) if m.protocol == ble.ACCESS_PROTOCOL]
    if len(apdus) > 1:
        raise AssertionError(f"{label}: more than one answer APDU")
    for message in apdus:
        answer.data, word = commands.split_answer(message.payload)
        answer.status_word = word.hex().upper()
    if result.get("status_word", "").upper() != answer.status_word:
        raise AssertionError(f"{label}: status_word says {result.get('status_word')!r}, "
                             f"the answer APDU {answer.status_word!r}")
    return answer
