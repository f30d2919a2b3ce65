"""Step-up: the DeviceRequest a reader sends and what it checks of the DeviceResponse.

All map keys are text strings of one digit.
"""

from dataclasses import dataclass, field
from typing import Dict, List, Optional

import cbor2

from . import document, tlv

OK, GENERAL, NOT_CBOR, NOT_VALID = 0, 10, 11, 12
DATA = "data"


class StepUpError(ValueError):
    """A step-up answer is not in the agreed form, or shows what it must not."""


@dataclass
class Request:
    """What one step-up asks for, and what it must be shown."""

    wanted: Dict[str, List[str]]            # document type -> element identifiers
    issuer: bytes                           # point whose signature the documents must bear
    # document type -> element identifiers that the device holds; None: all that is asked for
    held: Optional[Dict[str, List[str]]] = None
    exchanges: list = field(default_factory=list)    # EXCHANGE plans on the step-up channel
    selects: bool = True                    # selects the step-up application over NFC

    def expected(self) -> Dict[str, List[str]]:
        held = self.wanted if self.held is None else self.held
        shown = {kind: [name for name in names if name in held.get(kind, [])]
                 for kind, names in self.wanted.items()}
        return {kind: names for kind, names in shown.items() if names}


def items_request(doc_type: str, elements: List[str]) -> dict:
    return {"1": {doc_type: {name: False for name in elements}}, "5": doc_type}


def device_request(items_requests: List[bytes]) -> dict:
    return {"1": "1.0", "2": [{"1": cbor2.CBORTag(24, items)} for items in items_requests]}


def wrap(sealed: bytes) -> bytes:
    return tlv.encode(0x53, cbor2.dumps({DATA: sealed}))


def unwrap(data: bytes) -> bytes:
    """The sealed octets; the device always sends the `data` wrapper, shortest form."""
    decoded = decode(tlv.decode_single(data, 0x53))
    if not isinstance(decoded, dict) or list(decoded) != [DATA] \
            or not isinstance(decoded[DATA], bytes):
        raise StepUpError("the session data is not a map with one byte string")
    return decoded[DATA]


def decode(octets: bytes):
    """One CBOR item, in the shortest form and with nothing behind it."""
    try:
        decoded = cbor2.loads(octets)
    except (ValueError, cbor2.CBORDecodeError) as error:
        raise StepUpError(f"not CBOR: {error}") from error
    if cbor2.dumps(decoded) != octets:
        raise StepUpError("CBOR with octets behind, a key twice, or longer than it need be")
    return decoded


def check_response(octets: bytes, request: Request, credential: bytes) -> Dict[str, list]:
    """Document type -> encoded items, after every check; raises when one fails."""
    response = decode(octets)
    if not isinstance(response, dict) or list(response) != ["1", "2", "3"]:
        raise StepUpError("a DeviceResponse has the keys 1, 2 and 3")
    if response["1"] != "1.0":
        raise StepUpError(f"the response has version {response['1']!r}")
    if response["3"] != OK or isinstance(response["3"], bool):
        raise StepUpError(f"the response has status {response['3']!r}")
    shown: Dict[str, list] = {}
    for entry in _list(response["2"]):
        kind = entry.get("5") if isinstance(entry, dict) else None
        if kind not in request.wanted or kind in shown:
            raise StepUpError(f"document {kind!r} was not asked for, or comes twice")
        shown[kind] = _check_document(entry, kind, request, credential)
    if {kind: sorted(_identifiers(items)) for kind, items in shown.items()} \
            != {kind: sorted(names) for kind, names in request.expected().items()}:
        raise StepUpError("documents or elements are missing")
    return shown


def _check_document(entry: dict, kind: str, request: Request, credential: bytes) -> list:
    if list(entry) != ["1", "5"]:
        raise StepUpError("a document has the keys 1 and 5")
    key = credential if kind == document.ACCESS else None
    document.check_document(entry, kind, request.issuer, key)
    if list(entry["1"]) != ["1", "2"] or list(entry["1"]["1"]) != [kind]:
        raise StepUpError("more than the namespace that was asked for")
    items = [item.value for item in entry["1"]["1"][kind]]
    names = _identifiers(items)
    if len(set(names)) != len(names) or not set(names) <= set(request.wanted[kind]):
        raise StepUpError("an element that was not asked for, or one twice")
    return items


def _identifiers(items: List[bytes]) -> List[str]:
    return [cbor2.loads(item)["3"] for item in items]


def _list(value) -> list:
    if not isinstance(value, list):
        raise StepUpError("the documents are not a list")
    return value
