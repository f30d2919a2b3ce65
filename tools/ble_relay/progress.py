"""What the relay says while it works: one line for each thing that happens."""

import json
import sys

from .outcome import Exit, Failure

_LINES = {
    "scanning": "looking for a reader for at most {seconds:g} s",
    "matched": "reader {address} belongs to {namespace}, by {proof}",
    "connected": "connected to {address}, versions {versions}, SPSM {spsm:04x}",
    "simulating": "a reader made for this run, and a pass for it in {namespace}",
    "opened": "vault: presentation for {namespace}, to {intent}",
    "sent": "to the reader: {octets} octets",
    "received": "from the reader: {octets} octets",
    "event": "vault: {event}{detail}",
    "refusal": "vault: refuses: {message} ({code}){status_word}",
    "ranging": "reader: ranging message {message}, dropped: there is no UWB radio here",
    "reader": "reader: {text}",
    "warning": "warning: {text}",
}


class Progress:
    """Text for people, or with `as_json` one JSON object on each line."""

    def __init__(self, as_json: bool):
        self._as_json = as_json

    def __call__(self, name: str, **fields: object) -> None:
        if self._as_json:
            given = {key: value for key, value in fields.items() if value not in ("", None)}
            self._write(json.dumps({"progress": name, **given}))
            return
        if name == "event" and fields["detail"]:
            fields["detail"] = f": {fields['detail']}"
        if name == "refusal" and fields["status_word"]:
            fields["status_word"] = f", status word {fields['status_word']}"
        self._write(printable(_LINES[name].format(**fields)))

    def end(self, exit: int, text: str) -> None:
        if self._as_json:
            self._write(json.dumps({"progress": "ended", "exit": int(exit), "message": text}))
        elif exit == 0:
            self._write(printable(text))
        else:
            print("ble-relay:", printable(text), file=sys.stderr)

    def _write(self, line: str) -> None:
        try:
            print(line, flush=True)
        except OSError as error:
            raise Failure(Exit.OUTPUT, f"the output cannot be written: {error}") from error


def printable(text: str) -> str:
    """The text in one line, without anything that a terminal would act on or cannot show."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
