"""The good runs that mutants spoil: between them they reach every stage of the device."""

import copy
from datetime import datetime, timezone
from typing import Callable, Dict

from aliro_reader import commands, document, exchange, step_up
from vectors import SIGNED, private, public, vector_pair

FROM, UNTIL = datetime(2026, 1, 15, tzinfo=timezone.utc), datetime(2027, 1, 15, tzinfo=timezone.utc)
WANTED = {"aliro-a": ["floor1", "floor3"], "aliro-r": ["revoked"]}


def _documents() -> Dict[str, bytes]:
    issuer = private("credentialIssuer")
    elements = {f"floor{number}": document.simple_element() for number in (1, 2, 3)}
    return {
        "aliro-a": document.issue_access_document(
            public("credential"), issuer, FROM, UNTIL, elements=elements),
        "aliro-r": document.issue_revocation_document(issuer, FROM, UNTIL)}


DOCUMENTS = _documents()


def plans() -> list:
    """Read, write and set; then what was written is read again."""
    return [
        exchange.Plan([exchange.read(0, 4), exchange.write(8, b"door"),
                       exchange.fill(16, 4, 0xEE)], ursk=True),
        exchange.Plan([exchange.write(24, b"held")], more=True),
        exchange.Plan([exchange.read(8, 12)])]


def full(number: int, **changes):
    """Both documents, a mailbox, step-up with EXCHANGE behind it."""
    def make(alter):
        request = step_up.Request(
            dict(WANTED), public("credentialIssuer"),
            exchanges=[exchange.Plan([exchange.read(8, 4)])])
        options = {"mailbox": exchange.Mailbox(b"mail" + bytes(60)), "exchanges": plans(),
                   "step_up": request, "signed_time": SIGNED,
                   "revocation_time": "2026-01-15T00:00:00Z", **changes}
        reader, device = vector_pair(number, alter, **options)
        device.config.documents = dict(DOCUMENTS)
        device.config.mailbox = copy.deepcopy(reader.config.mailbox)
        return reader, device
    return make


def plain(number: int, **changes):
    return lambda alter: vector_pair(number, alter, **changes)


def _chained(alter):
    return vector_pair(2, alter, chunk=60, variant="auth1cert")


RUNS: Dict[str, Callable] = {
    "BLE standard": plain(0),
    "BLE fast": plain(1),
    "BLE certificate": plain(2),
    "BLE certificate, chained": _chained,
    "NFC standard": plain(3),
    "BLE complete": full(0),
    "BLE step-up behind the request": full(0, step_up_late=True),
    "NFC complete": full(3),
    "BLE approach": plain(0, intent="approach", step_up=None, ranging=True),
    "the reader gives up": plain(3, control_flow=b"\x00\x27"),
}
# For the limit of what one answer may hold.
LONG_ANSWER = commands.ANSWER_LIMIT + 1
