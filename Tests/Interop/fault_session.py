"""A hand-driven presentation: writes what no good reader would, and watches the vault.

Whatever the fault, `FaultSession` also looks for what must never happen: an answered AUTH1,
identifying octets in clear, an RKE request, or a grant.
"""

import time
from dataclasses import dataclass, field
from typing import List, Optional

from aliro_reader import ble, commands, crypto, selection, step_up, tlv
from presenting import VERSION, open_parameters
from vault_client import VaultClient, VaultError, base64_text, octets_of


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
    details: List[str] = field(default_factory=list)
    ranging: List[dict] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        return self.is_error or self.state == "failed" or (
            self.status_word not in ("", "9000") and not self.status_word.startswith("61"))

    def __str__(self) -> str:
        kind = "error" if self.is_error else f"state {self.state}"
        return f"{self.label}: {kind}, code {self.code or '-'}, SW {self.status_word or '-'}"


class FaultSession:
    def __init__(self, vault: VaultClient, namespace: str, door, credential: bytes,
                 versions: bytes = VERSION, intent: str = "unsecure", transport: str = "ble",
                 selects: bool = True, reader_identifier: Optional[bytes] = None, **options):
        self.vault, self.door, self.credential = vault, door, credential
        self.over_ble = transport == "ble"
        self.ephemeral = crypto.new_key()
        self.transaction_identifier = crypto.random_octets(16)
        self.reader_identifier = reader_identifier or door.reader_identifier
        self.flags = b"\x00\x01"
        self.transaction: Optional[crypto.Transaction] = None
        self.keys: Optional[crypto.SessionKeys] = None
        self.persistent_key: Optional[bytes] = None
        self.channel: Optional[crypto.Channel] = None
        self.step_up: Optional[crypto.Channel] = None
        self.link: Optional[ble.SecureLink] = None
        self.over = False
        self.leaks: List[str] = []
        self.auth1_answered = False
        self.proprietary = crypto.DEFAULT_A5
        opened = vault.call("presentation.open", {
            **open_parameters(namespace, transport, intent, versions), **options})
        self.presentation = opened["presentation"]
        self.timeout = opened.get("timeout_ms", 2500) / 1000
        self.opening = self._as_answer("OPEN", opened)
        if self.over_ble:
            first = ble.decode(self.opening.messages[0])
            self.proprietary = ble.single_attribute(first.payload, 0, len(first.payload) - 2)
        elif selects:
            self.select()

    # --- sending -----------------------------------------------------------------------

    def send(self, label: str, message: bytes) -> Answer:
        return self._call(label, "presentation.exchange", {"message": base64_text(message)})

    def request(self, request: str, **more) -> Answer:
        return self._call("REQUEST", "presentation.request", {"request": request, **more})

    def close(self) -> None:
        """A vault keeps only so many presentations open; one that is over is closed already."""
        if not self.over:
            self.over = True
            try:
                self.vault.call("presentation.close", {"presentation": self.presentation})
            except VaultError:
                pass

    def _call(self, label: str, method: str, parameters: dict) -> Answer:
        try:
            answer = self._as_answer(label, self.vault.call(
                method, {"presentation": self.presentation, **parameters}))
        except VaultError as error:
            if error.code == "internal":    # nobody's fault but the vault's
                raise
            answer = Answer(label, code=error.code, is_error=True)
        self.over = answer.state in ("failed", "finished")
        self._watch(answer)
        return answer

    def apdu(self, label: str, octets: bytes) -> Answer:
        return self.send(label, ble.command(octets) if self.over_ble else octets)

    def command(self, label: str, ins: int, data: bytes) -> Answer:
        """A whole command, chained when it must be."""
        parts = commands.chained(ins, data)
        for part in parts[:-1]:
            self.good(self.apdu(f"{label} part", part))
        return self.apdu(label, parts[-1])

    def good(self, answer: Answer) -> Answer:
        if answer.refused:
            raise Surprise(f"this step should have worked: {answer}")
        return answer

    def _watch(self, answer: Answer) -> None:
        if "access_granted" in answer.events:
            self.leaks.append(f"{answer.label}: access was granted")
        for message in answer.messages:
            if self.over_ble and message[:2] == b"\x02\x04":
                self.leaks.append(f"{answer.label}: an RKE request was sent")
            for name, secret in (("x of the credential key", self.credential[1:33]),
                                 ("key slot", crypto.key_slot(self.credential))):
                if secret in message:
                    self.leaks.append(f"{answer.label}: {name} in clear")
        if answer.label == "AUTH1" and answer.status_word == "9000" and answer.data:
            self.auth1_answered = True

    # --- the steps of a run, each with everything changeable ------------------------------

    def select(self, aid: bytes = commands.EXPEDITED_AID) -> Answer:
        answer = self.good(self.apdu("SELECT", commands.apdu(commands.SELECT, aid)))
        if aid == commands.EXPEDITED_AID:
            self.proprietary = selection.parse_fci(answer.data, aid)
        return answer

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
        found = dict(tlv.decode_all(data))
        crypto.load_point(found[0x86])
        self.cryptogram = found.get(0x9D, b"")
        self.transaction = crypto.Transaction(
            group_key=crypto.point_of(self.door.trusted),
            reader_identifier=self.reader_identifier,
            reader_ephemeral=crypto.point_of(self.ephemeral), device_ephemeral=found[0x86],
            transaction_identifier=self.transaction_identifier, flags=self.flags,
            interface=crypto.INTERFACE_BLE if self.over_ble else crypto.INTERFACE_NFC,
            proprietary=self.proprietary)

    def begin(self) -> "FaultSession":
        self.good(self.auth0())
        return self

    def load_cert(self, compressed: Optional[bytes] = None) -> Answer:
        data = self.door.certificate() if compressed is None else compressed
        return self.command("LOAD CERT", commands.LOAD_CERT, data)

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
        return self.command("AUTH1", commands.AUTH1, data)

    def facts(self, change_keys: Optional[tuple]) -> crypto.Transaction:
        """What keys are made of; `(part, change)` makes another one of one part."""
        if change_keys is None:
            return self.transaction
        part, change = change_keys
        spoiled = {part: change(getattr(self.transaction, part))}
        return crypto.Transaction(**{**self.transaction.__dict__, **spoiled})

    def accepted(self, versions: bytes = VERSION,
                 change_keys: Optional[tuple] = None) -> "FaultSession":
        """Through AUTH1, for faults of what comes behind it."""
        self.begin()
        answer = self.good(self.auth1())
        facts = self.facts(change_keys)
        kdh = self.transaction.kdh(self.ephemeral, self.transaction.device_ephemeral)
        self.take_keys(crypto.volatile_keys(kdh, facts), versions)
        self.step_up = crypto.Channel.for_reader(*crypto.step_up_keys(self.keys.step_up))
        self.persistent_key = crypto.persistent_key(kdh, facts, self.credential)
        if change_keys is None:
            self._opened(self.channel, answer.data)
        return self

    def fast(self, persistent_key: bytes,
             change_keys: Optional[tuple] = None) -> "FaultSession":
        """Through a keyed AUTH0."""
        self.flags = b"\x01\x01"
        self.begin()
        block = crypto.fast_block(persistent_key, self.facts(change_keys), self.credential)
        keyed = crypto.open_cryptogram(block[0], self.cryptogram) is not None
        if keyed != (change_keys is None):
            raise Surprise("the cryptogram is not keyed, or with other keys")
        self.take_keys(crypto.SessionKeys(block[1], block[2], b"", block[3], block[4]))
        return self

    def take_keys(self, keys: crypto.SessionKeys, versions: bytes = VERSION) -> None:
        self.keys = keys
        self.channel = crypto.Channel.for_reader(keys.expedited_reader, keys.expedited_device)
        self.link = ble.SecureLink.for_reader(crypto.ble_keys(keys.ble, versions, VERSION))

    def completed_message(self, identifier: int = ble.COMPLETED) -> bytes:
        return self.link.seal(ble.NOTIFICATION, identifier, bytes.fromhex("00022000"))

    def exchange(self, plaintext: bytes, channel: Optional[crypto.Channel] = None) -> Answer:
        sealed = (channel or self.channel).seal(plaintext)
        return self.command("EXCHANGE", commands.EXCHANGE, sealed)

    def exchanged(self, plaintext: bytes, channel: Optional[crypto.Channel] = None) -> bytes:
        """A good EXCHANGE: the plaintext of its answer."""
        data = self.whole(self.exchange(plaintext, channel))
        return self._opened(channel or self.channel, data)

    def envelope(self, request: bytes) -> Answer:
        return self.command("ENVELOPE", commands.ENVELOPE, step_up.wrap(self.step_up.seal(request)))

    def enveloped(self, request: bytes) -> dict:
        """A good ENVELOPE: the decoded DeviceResponse."""
        data = self.whole(self.envelope(request))
        return step_up.decode(self._opened(self.step_up, step_up.unwrap(data)))

    @staticmethod
    def _opened(channel: crypto.Channel, sealed: bytes) -> bytes:
        try:
            return channel.open(sealed)
        except crypto.CryptoError as error:
            raise Surprise(f"a good answer does not open: {error}") from error

    def stepped_up(self) -> "FaultSession":
        """Ready for ENVELOPE."""
        self.accepted()
        if not self.over_ble:
            self.select(commands.STEP_UP_AID)
        return self

    def get_response(self) -> Answer:
        return self.apdu("GET RESPONSE", commands.apdu(commands.GET_RESPONSE, b""))

    def whole(self, answer: Answer) -> bytes:
        data = self.good(answer).data
        while answer.status_word.startswith("61"):
            answer = self.good(self.get_response())
            data += answer.data
        return data

    def wait(self, share: float) -> None:
        """Lets that much of the time pass in which AUTH0 must come."""
        time.sleep(self.timeout * share)

    def _as_answer(self, label: str, result: dict) -> Answer:
        """Also checks that the result agrees with the octets it carries."""
        messages = [octets_of(message) for message in result["messages"]]
        answer = Answer(label, state=result["state"], messages=messages,
                        code=result.get("refusal", {}).get("code", ""),
                        events=[event["event"] for event in result["events"]],
                        details=[event.get("detail", "") for event in result["events"]],
                        ranging=result.get("ranging", []))
        over = answer.state in ("failed", "finished")
        if result.get("disconnect", over) != over:
            raise AssertionError(f"{label}: {answer.state}, disconnect {result['disconnect']}")
        apdus = messages
        if self.over_ble:
            decoded = map(ble.decode, messages)
            apdus = [m.payload for m in decoded if m.protocol == ble.ACCESS_PROTOCOL]
        if len(apdus) > 1:
            raise AssertionError(f"{label}: more than one answer APDU")
        for apdu in apdus:
            answer.data, word = commands.split_answer(apdu)
            answer.status_word = word.hex().upper()
        if result.get("status_word", "").upper() != answer.status_word:
            raise AssertionError(f"{label}: status_word says {result.get('status_word')!r}, "
                                 f"the answer APDU {answer.status_word!r}")
        return answer
