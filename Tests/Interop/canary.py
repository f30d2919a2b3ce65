"""Canaries: values that are found wherever they turn up, and the places of a schema to put them.

A canary is random, so that finding it, or half of it, in any form means that it came from where it
was put. Its kind says where it may be seen; see `KINDS`.
"""

import base64
import json
import re
import secrets
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

SCHEMA = Path(__file__).resolve().parents[2] / "Schema" / "vault.openrpc.json"

KINDS = {
    "secret": "nowhere, not even in the answer to the call",
    "echo": "in the answer to the call alone: what it repeats, such as an id, and what it gives",
    "namespace": "anywhere: names of namespaces are public identifiers",
    "label": "in the database, and where slots are listed",
    "policy": "where the policy is shown or explained",
    "group": "where a pass is described or matched: reader groups are public identifiers",
    "request": "in the request that an installation has for Biqli, and what its opening tells",
    "result": "where the last match is shown",
    "receipt": "in the answer to the call that brought it, and in no other",
    "portal": "where a step of a renewal is handed out",
    "user": "there, and in the database: the IDs of users are names of records",
    "token": "there, where a token is given out, and where one was brought",
}

# Members that are no secret where they succeed, by the last name of their path.
PUBLIC = {"namespace": "namespace", "prefix": "namespace", "after": "namespace",
          "label": "label", "policy": "policy", "reader_group_id": "group",
          "segment": "echo", "offset": "echo", "end_segment": "echo", "end_offset": "echo"}

# Texts of a form of their own, by method and name, with the kind of the digits in them.
SHAPED: Dict[str, Tuple[str, Callable[[str], str]]] = {
    "noke.store mac": ("secret", lambda digits: digits[:12]),
    "noke.info mac": ("secret", lambda digits: digits[:12]),
    "noke.unlock mac": ("secret", lambda digits: digits[:12]),
    "noke.report mac": ("secret", lambda digits: digits[:12]),
    "noke.promote mac": ("secret", lambda digits: digits[:12]),
    "noke.demote mac": ("secret", lambda digits: digits[:12]),
    "noke.delete mac": ("secret", lambda digits: digits[:12]),
    "biqli.open app_id": ("request", lambda digits: "biq_mapp_" + digits[:26].upper()),
    "biqli.open publishable_key": ("request", lambda digits: "biqli_mobile_pk_" + digits * 2),
    "biqli.capture link": ("request", lambda digits: f"https://{digits}.example/{digits}"),
    "biqli.capture token": ("request", lambda digits: "bqmh_" + digits + digits[:11]),
    "biqli.begin domain": ("request", lambda digits: digits + ".example"),
    "biqli.begin app_version": ("request", str),
    "biqli.begin os_version": ("request", str),
    "biqli.begin sdk_version": ("request", str),
    "biqli.complete event_id": ("secret", lambda digits: "open_" + digits),
    "biqli.complete result": ("receipt", lambda digits: answered("none", "q", digits)),
    "biqli.fail event_id": ("secret", lambda digits: "open_" + digits),
    "biqli.drop event_id": ("secret", lambda digits: "open_" + digits),
}

# What is no secret to a renewer, in whatever form it was taken.
HANDED_OUT = {
    "flinkey.store credentials.api_key": "portal",
    "flinkey.store credentials.user_name": "portal",
    "flinkey.store credentials.password": "portal",
    "flinkey.store credentials.sdk_key": "portal",
    "flinkey.store credentials.customer_id": "portal",
    "flinkey.renew.complete token": "token",
    "flinkey.renew.complete tapkey_user": "token",
    "flinkey.store box.user": "user",
}
HANDED_OUT |= {f"flinkey.{method} user": "user" for method in (
    "token", "renew.begin", "renew.complete", "block", "unblock", "forget")}

# The pattern of fields that take any text.
PRINTABLE = "^[ -~]*$"

# Patterns of so many hexadecimal digits.
HEXADECIMAL = re.compile(r"\^\[0-9(?:A-F)?a-f\]\{(\d+)\}\$")

# Calls whose answer says what was asked: the whole call is an invented one.
REPEATING = {"policy.explain", "policy.set"}


class Canary(NamedTuple):
    name: str
    kind: str
    octets: bytes


class Canaries:
    """Makes canaries and remembers them."""

    def __init__(self) -> None:
        self.all: List[Canary] = []

    def octets(self, name: str, count: int = 32, kind: str = "secret") -> bytes:
        return self.known(name, secrets.token_bytes(count), kind)

    def known(self, name: str, octets: bytes, kind: str = "secret") -> bytes:
        """Takes octets that came about otherwise, such as a signature."""
        self.all.append(Canary(name, kind, octets))
        return octets

    def text(self, name: str, kind: str = "secret") -> str:
        """Plain ASCII that JSON leaves as it is."""
        return self.known(name, secrets.token_hex(16).encode(), kind).decode()

    def foreign(self, name: str, kind: str = "secret") -> str:
        """Characters that JSON may escape."""
        text = "".join(chr(0x4E00 + secrets.randbelow(0x5000)) for _ in range(12))
        self.known(name, text.encode(), kind)
        return text

    def digits(self, name: str, kind: str = "secret") -> str:
        """32 digits, which are the same in either case."""
        text = str(10**31 + secrets.randbelow(9 * 10**31))
        return self.known(name, text.encode(), kind).decode()

    def number(self, name: str, kind: str = "secret") -> int:
        """Sixteen digits that are exact in any JSON reader."""
        number = 10**15 + secrets.randbelow(2**53 - 10**15)
        self.known(name, str(number).encode(), kind)
        return number


def escaped(octets: bytes) -> Iterator[bytes]:
    """Text as JSON, and wide characters, may have it; nothing for what is no foreign text."""
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        return
    if text.isascii():
        return
    shown = json.dumps(text)[1:-1]
    yield shown.encode()
    yield shown.upper().replace("\\U", "\\u").encode()
    yield text.encode("utf-16-le")
    yield text.encode("utf-16-be")


class Place(NamedTuple):
    """A value in the parameters of a method: its path, and what the schema says of it."""

    path: Tuple[Any, ...]
    schema: dict

    @property
    def name(self) -> str:
        return ".".join("[]" if part == 0 else part for part in self.path)


class Schema:
    def __init__(self, path: Path = SCHEMA):
        self._document = json.loads(path.read_text())
        self.methods: Dict[str, List[Place]] = {
            method["name"]: list(self._places(method)) for method in self._document["methods"]}
        # Those whose answers wait until something is on the disk.
        self.effects = {method["name"] for method in self._document["methods"]
                        if method["x-effects"] or method["x-key-output"]}

    def _resolved(self, schema: dict) -> dict:
        while "$ref" in schema:
            schema = self._document["components"]["schemas"][schema["$ref"].split("/")[-1]]
        return schema

    def _places(self, method: dict) -> Iterator[Place]:
        for parameter in method["params"]:
            yield from self._walk((parameter["name"],), parameter["schema"])

    def _walk(self, path: Tuple[Any, ...], schema: dict) -> Iterator[Place]:
        schema = self._resolved(schema)
        yield Place(path, schema)
        for name, inner in schema.get("properties", {}).items():
            yield from self._walk(path + (name,), inner)
        if "items" in schema:
            yield from self._walk(path + (0,), schema["items"])


class Form(NamedTuple):
    """One canary in its place: `fits` when its type is the one that is asked for."""

    name: str
    value: Any
    fits: bool


def forms(canaries: Canaries, method: str, place: Place) -> Iterator[Form]:
    """Every way to put a canary into a place."""
    where = f"{method} {place.name}"
    kind = "echo" if method in REPEATING else HANDED_OUT.get(where, "secret")
    fitting = _fitting(canaries, method, where, place)
    if fitting is not None:
        yield Form("fitting", fitting, True)
    # Where any text will do, this one does too.
    takes_text = place.schema.get("pattern") == PRINTABLE
    public = SHAPED.get(where, (PUBLIC.get(place.path[-1], kind),))[0]
    text = canaries.text(f"{where}: text", public if takes_text else kind)
    yield Form("text", f"No {text}!", takes_text)
    yield Form("foreign", canaries.foreign(f"{where}: foreign", kind), False)
    is_number = place.schema.get("type") == "integer"
    number_kind = PUBLIC.get(place.path[-1], kind) if is_number else kind
    yield Form("number", canaries.number(f"{where}: number", number_kind), False)
    yield Form("list", [canaries.text(f"{where}: list", kind)], False)
    # A name is told to the caller who has it wrong; what it is a name of is not.
    name = canaries.text(f"{where}: name", "echo")
    yield Form("object", {name: canaries.text(f"{where}: object", kind)}, False)
    long = canaries.text(f"{where}: long", kind)
    yield Form("long", long + "x" * 70_000, False)
    if place.schema.get("contentEncoding") == "base64":
        octets = canaries.octets(f"{where}: spoiled", 36, kind)
        yield Form("spoiled", base64.b64encode(octets).decode() + "=", False)


def _fitting(canaries: Canaries, method: str, where: str, place: Place) -> Optional[Any]:
    schema = place.schema
    kind = PUBLIC.get(place.path[-1]) or (
        "echo" if method in REPEATING else HANDED_OUT.get(where, "secret"))
    where = f"{where}: fitting"
    if f"{method} {place.name}" in SHAPED:
        kind, shape = SHAPED[f"{method} {place.name}"]
        return shape(canaries.digits(where, kind))
    if "enum" in schema or "format" in schema or schema["type"] not in ("string", "integer"):
        return None
    if schema["type"] == "integer":
        return canaries.number(where, kind) if schema["maximum"] >= 2**53 else None
    if schema.get("contentEncoding") == "base64":
        bounds = schema["x-octets"]
        count = min(max(bounds["minimum"], 32), bounds["maximum"])
        # Two octets are everywhere.
        return None if count < 6 else base64.b64encode(
            canaries.octets(where, count, kind)).decode()
    digits = HEXADECIMAL.fullmatch(schema.get("pattern", ""))
    if digits:
        return canaries.octets(where, int(digits[1]) // 2, kind).hex()
    if kind == "namespace":
        return "canary/" + canaries.text(where, kind)
    if kind == "policy":
        return f"policy 1\n# {canaries.text(where, kind)}\n"
    return canaries.text(where, kind)


def answered(matched: str, text: str, receipt: str) -> str:
    """What Biqli answers to a request."""
    return json.dumps({
        "open": {"id": text, "firstOpen": True, "matchedBy": matched, "confidence": "none"},
        "attributionReceipt": receipt, "requestId": text})


def put(parameters: dict, path: Tuple[Any, ...], value: Any) -> dict:
    """A copy of parameters with another value at a path, which is made where it is missing."""
    changed = json.loads(json.dumps(parameters))
    holder: Any = changed
    for part, following in zip(path, path[1:]):
        empty: Any = [None] if following == 0 else {}
        if part == 0:
            if not isinstance(holder[0], type(empty)):
                holder[0] = empty
        elif not isinstance(holder.get(part), type(empty)):
            holder[part] = empty
        holder = holder[part]
    holder[path[-1]] = value
    return changed
