"""Carries one presentation between the vault and a reader, as a gateway would."""

from typing import List

from aliro_reader import Reader, ending
from vault_client import VaultClient, base64_text, octets_of

VERSION = b"\x01\x00"


class Failed(Exception):
    """The run did not end as it should; the text is for the person who started it."""


class Narrator:
    def __init__(self) -> None:
        self.number = 0

    def say(self, text: str) -> None:
        self.number += 1
        print(f"{self.number:2}. {text}", flush=True)


class Silence(Narrator):
    def say(self, text: str) -> None:
        pass


def open_parameters(namespace: str, transport: str, intent: str = "unsecure",
                    versions: bytes = VERSION, version: bytes = VERSION) -> dict:
    parameters = {"namespace": namespace, "transport": transport}
    if transport == "ble":
        parameters |= {"intent": intent, "reader_versions": base64_text(versions),
                       "version": base64_text(version)}
    return parameters


def ranging_answer(message: dict) -> dict:
    """What the ranging side of a gateway has to say to M1 or M3."""
    other = {"m1": "m2", "m3": "m4"}[message["message"]]
    payload = ending.ranging_payload(int(other[1]))
    return {"request": "ranging", "ranging": {"message": other, "payload": base64_text(payload)}}


class Gateway:
    """One presentation; `events` are all those the vault has reported."""

    def __init__(self, vault: VaultClient, namespace: str, reader: Reader,
                 narrator: Narrator, **options):
        self.vault, self.reader, self.narrator = vault, reader, narrator
        self.over_ble = reader.config.transport == "ble"
        self.events: List[dict] = []
        self.queue: List[str] = []
        self.disconnect = False
        self._told, self._asked = 0, False
        opened = vault.call("presentation.open", {
            **open_parameters(namespace, reader.config.transport, reader.config.intent,
                              reader.config.versions, reader.config.version), **options})
        self.presentation = opened["presentation"]
        self._take(opened)

    def run(self) -> None:
        self._send(self.reader.start())
        while self.queue:
            try:
                replies = self.reader.receive(octets_of(self.queue.pop(0)))
            finally:
                self._tell()
            self._send(replies)
            if not self.queue:
                self._ask()

    def _send(self, messages: List[bytes]) -> None:
        self._tell()
        for message in messages:
            result = self.vault.call("presentation.exchange", {
                "presentation": self.presentation, "message": base64_text(message)})
            self._take(result)
            for ranging in result.get("ranging", []):
                self.narrator.say(f"vault -> gateway   ranging {ranging['message']}, decrypted")
                self._request(ranging_answer(ranging))

    def _ask(self) -> None:
        """In the approach flow nothing is asked for until the gateway says what."""
        if self.state != "accepted" or self._asked:
            return
        self._asked = True
        self._request({"request": "initiate_ranging" if self.reader.config.ranging
                       else "unsecure"})

    def _request(self, request: dict) -> None:
        what = request.get("ranging", {}).get("message", request["request"])
        self.narrator.say(f"gateway -> vault   request: {what}")
        self._take(self.vault.call("presentation.request", {
            "presentation": self.presentation, **request}))

    def _take(self, result: dict) -> None:
        check_refusal(result)
        self.state = result["state"]
        self.disconnect = result.get("disconnect", False)
        self.events += result["events"]
        self.queue += result["messages"]

    def _tell(self) -> None:
        for step in self.reader.transcript[self._told:]:
            self.narrator.say(str(step))
        self._told = len(self.reader.transcript)


def present(vault: VaultClient, namespace: str, intent: str, reader: Reader,
            narrator: Narrator, **options) -> list:
    """Carries messages until nobody has more to say; returns the vault's events."""
    if intent != reader.config.intent:
        raise ValueError("the reader expects another intent")
    gateway = Gateway(vault, namespace, reader, narrator, **options)
    gateway.run()
    if gateway.state != "finished" or not reader.finished:
        raise Failed(f"the run stopped: vault {gateway.state}, reader {reader.state}")
    if not gateway.disconnect:
        raise Failed("the vault does not say that the gateway should disconnect")
    return gateway.events


def check_refusal(result: dict) -> None:
    if "refusal" in result:
        refusal = result["refusal"]
        word = f", status word {result['status_word']}" if "status_word" in result else ""
        raise Failed(f"the vault refuses: {refusal['code']}: {refusal['message']}{word}")
