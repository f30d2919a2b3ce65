"""The pump: messages from the vault to the reader and back until one of them ends it."""

from typing import Callable, NamedTuple, Optional

from .channel import Channel
from .outcome import Ending, Exit, Failure
from .vault import Step, Vault, base64_text

Tell = Callable[..., None]


class Opening(NamedTuple):
    """What the vault must know before the first message."""

    namespace: str
    intent: str
    reader_versions: bytes              # the list as the reader's characteristic holds it
    version: bytes                      # the one that was written to it
    user_confirmed: Optional[bool] = None
    request: Optional[str] = None       # of an approach: what to ask for once accepted


class Relay:
    """One presentation over one channel, which it closes at the end.

    - `patience` is how many seconds to wait for the reader where the vault names no time.
    - `tell` is told what happens: a name and fields.
    """

    def __init__(self, vault: Vault, channel: Channel, patience: float, tell: Tell):
        self._vault = vault
        self._channel = channel
        self._patience = patience
        self._tell = tell
        self._session: Optional[str] = None
        self._decision: Optional[Ending] = None

    def run(self, opening: Opening) -> Ending:
        try:
            return self._carry(self._open(opening), opening.request)
        except Failure as failure:
            # What the reader has said stands, whatever broke afterwards.
            return self._decision or failure.ending
        finally:
            # The radio first. Where time ran out, closing is all that the reader may notice.
            self._channel.close()
            self._close_session()

    def _open(self, opening: Opening) -> Step:
        method = "presentation.open"
        result = self._vault.call(
            method, namespace=opening.namespace, transport="ble", intent=opening.intent,
            reader_versions=base64_text(opening.reader_versions),
            version=base64_text(opening.version), user_confirmed=opening.user_confirmed)
        session = result.get("presentation")
        if not isinstance(session, str):
            raise Failure(Exit.MISMATCH, f"{method}: the answer names no presentation")
        self._session = session
        self._tell("opened", namespace=opening.namespace, intent=opening.intent)
        step = Step.read(method, result)
        if step.refusal:
            # A session that cannot succeed need not trouble the reader.
            self._tell_refusal(step)
            raise Failure(*Ending.of(*step.refusal))
        return step

    def _carry(self, step: Step, request: Optional[str]) -> Ending:
        while True:
            self._tell_step(step)
            for message in step.messages:
                self._channel.send(message, self._patience)
                self._tell("sent", octets=len(message))
            if step.is_last:
                return self._ending(step)
            if step.state == "accepted" and request:
                step = self._call("presentation.request", request=request)
                request = None
                continue
            message = self._channel.receive(
                self._patience if step.timeout is None else step.timeout)
            self._tell("received", octets=len(message))
            step = self._call("presentation.exchange", message=base64_text(message))

    def _call(self, method: str, **params: str) -> Step:
        return Step.read(
            method, self._vault.call(method, presentation=self._session, **params))

    def _tell_step(self, step: Step) -> None:
        for event in step.events:
            self._tell("event", event=event.name, detail=event.detail)
            if event.name == "access_granted":
                self._decision = Ending(Exit.GRANTED, _words("access granted", event.detail))
            elif event.name == "access_denied":
                self._decision = Ending(Exit.DENIED, _words("access denied", event.detail))
        for name in step.ranging:
            # There is no UWB radio here, and a reader must not wait for nothing unexplained.
            self._tell("ranging", message=name)
        if step.refusal:
            self._tell_refusal(step)

    def _tell_refusal(self, step: Step) -> None:
        code, message = step.refusal
        self._tell("refusal", code=code, message=message, status_word=step.status_word)

    def _ending(self, step: Step) -> Ending:
        if self._decision:
            return self._decision
        if step.refusal:
            return Ending.of(*step.refusal)
        return Ending(Exit.UNDECIDED, f"the reader did not say whether it opens ({step.state})")

    def _close_session(self) -> None:
        if self._session is None:
            return
        try:
            self._vault.call("presentation.close", presentation=self._session)
        except Failure:
            pass    # gone already, or the vault is: the session ends with the connection


def _words(text: str, detail: str) -> str:
    return f"{text}: {detail}" if detail else text
