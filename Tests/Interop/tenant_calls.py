"""Every method of the schema as one tenant would call it about what is another's.

`CALLS` has, for each place in a method's parameters that names a namespace or an opaque id, a whole
call with something to be put there. `missing` compares it with the schema: a method, or a place,
that is not in it is an error.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List

from aliro_reader import crypto
from door import Door
from faults_sign import ADDRESS, advertise
from presenting import open_parameters
from vault_client import a_minute_ago, base64_text

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "Schema/vault.openrpc.json").read_text())
NAMES = ("#/components/schemas/Namespace", "#/components/schemas/NamespacePrefix")
OPAQUE = "^[0-9a-f]{32}$"

NOKE_LOCK = {"mac": "CB:BC:87:3B:CB:D7"}
NOKE_SESSION = {"session": "0000040ba7b0d91f7f45ad25698a18375c7e4f16"}
NOKE_PAIR = {"offline_key": "5a" * 16, "unlock_command": "a5" * 20, "environment": "production"}

BIQLI_STATE = {"app_id": "biq_mapp_0123456789ABCDEFGHJKMNPQRS", "marker": base64_text(bytes(16))}
BIQLI_REQUEST = {"platform": "ios", "probabilistic_allowed": True, "os_version": "19",
                 "sdk_version": "1.0.0"}
BIQLI_EVENT = "open_" + "0" * 32
FLINKEY_USER = {"environment": "uat", "user": 7}
FLINKEY_PORTAL = {"api_key": "key", "user_name": "user", "password": "word", "sdk_key": "sdk",
                  "customer_id": 4711}
FLINKEY_BOX = "C1-08-F0-94"

FORBIDDEN = "forbidden"     # the policy denies it
NOT_FOUND = "not_found"     # the caller has no such thing
FILTERED = "filtered"       # it is allowed, and finds nothing


@dataclass
class Call:
    """`params` makes the parameters out of what stands at `place`, a path with dots.

    `seen` is what somebody sees to whom it is not granted. Only who may do everything can be
    granted a call with `whole`.
    """

    method: str
    place: str
    params: Callable[[object], dict]
    seen: str = FORBIDDEN
    whole: bool = False

    @property
    def about(self) -> str:
        return f"{self.method} {self.place}"


def _named(method: str, **more) -> Call:
    return Call(method, "namespace", lambda name: {"namespace": name, **more})


def _session(method: str, **more) -> Call:
    return Call(method, "presentation", lambda session: {"presentation": session, **more},
                NOT_FOUND)


def _point() -> str:
    return base64_text(crypto.point_of(crypto.new_key()))


def _gateway_transcript(door: Door) -> dict:
    return {"reader_identifier": base64_text(door.reader_identifier),
            "device_ephemeral_key": _point(), "reader_ephemeral_key": _point(),
            "transaction_identifier": base64_text(bytes(16)),
            "reader_signature": base64_text(bytes(64))}


def seen_advertisement(door: Door) -> dict:
    return {"advertisement": base64_text(advertise(door)), "address": base64_text(ADDRESS)}


def calls(door: Door, unlock_pass: dict) -> List[Call]:
    """`door` is one that all tenants have passes for; `unlock_pass` is any of them."""
    return [
        _named("namespace.create"),
        _named("namespace.get"),
        Call("namespace.list", "prefix", lambda name: {"prefix": name}, FILTERED),
        Call("namespace.list", "after", lambda name: {"after": name, "limit": 3}, FILTERED),
        _named("namespace.configure", user_confirmation=True),
        _named("namespace.suspend"),
        _named("namespace.resume"),
        _named("namespace.revoke"),
        Call("namespace.revoke", "prefix", lambda name: {"prefix": name}),
        _named("key.public", purpose="presentation"),
        _named("key.list"),
        _named("key.sign", message=base64_text(b"a letter"), format="raw"),
        Call("pass.store", "namespace", lambda name: {"namespace": name, "pass": unlock_pass}),
        _named("pass.info"),
        _named("pass.delete"),
        _named("presentation.match", **seen_advertisement(door)),
        Call("presentation.open", "namespace", lambda name: open_parameters(name, "nfc")),
        _session("presentation.exchange", message=base64_text(bytes.fromhex("00a4040009"))),
        _session("presentation.request", request="unsecure"),
        _session("presentation.close"),
        _named("presentation.sign", **_gateway_transcript(door)),
        _named("noke.store", **NOKE_LOCK, **NOKE_PAIR),
        _named("noke.info", **NOKE_LOCK),
        _named("noke.unlock", **NOKE_LOCK, **NOKE_SESSION),
        _named("noke.report", **NOKE_LOCK, **NOKE_SESSION, response="516001" + "0" * 34),
        _named("noke.promote", **NOKE_LOCK),
        _named("noke.demote", **NOKE_LOCK),
        _named("noke.delete", **NOKE_LOCK),
        _named("biqli.open", **BIQLI_STATE),
        _named("biqli.instance"),
        _named("biqli.capture", link="https://links.example/stolen"),
        _named("biqli.begin", **{**BIQLI_REQUEST, "os_version": "stolen"}),
        _named("biqli.complete", event_id=BIQLI_EVENT, result=json.dumps({
            "open": {"id": "o", "firstOpen": True, "matchedBy": "none", "confidence": "none"},
            "requestId": "q"})),
        _named("biqli.fail", event_id=BIQLI_EVENT),
        _named("biqli.cached"),
        _named("biqli.window"),
        _named("biqli.reset"),
        _named("biqli.pending"),
        _named("biqli.drop", event_id=BIQLI_EVENT),
        _named("flinkey.store", environment="uat", credentials={
            **FLINKEY_PORTAL, "drop_tokens": True}),
        _named("flinkey.token", **FLINKEY_USER),
        _named("flinkey.renew.begin", **FLINKEY_USER),
        _named("flinkey.renew.complete", **FLINKEY_USER, lease=base64_text(bytes(16)),
               failure={"reason": "assignment_ended"}),
        _named("flinkey.block", **FLINKEY_USER),
        _named("flinkey.unblock", **FLINKEY_USER),
        _named("flinkey.forget", **FLINKEY_USER),
        _named("flinkey.box_id", box_id=FLINKEY_BOX, command={"action": "status"}),
        _named("audit.tail"),
        Call("policy.explain", "call.namespace", lambda name: {"call": {
            "method": "key.sign", "user": "root", "namespace": name}}, whole=True),
    ]


def unnamed(door: Door) -> Dict[str, List[dict]]:
    """Calls of methods that filter what they show, without anything to look for."""
    return {"namespace.list": [{}, {"limit": 1}, {"limit": 2}],
            "presentation.match": [seen_advertisement(door)],
            "audit.tail": [{}, {"after": 0, "limit": 1000}]}


# Calls that only who may do everything can be granted, and which name nothing.
WHOLE = {
    "status": {}, "vault.metrics": {}, "seal": {}, "slot.list": {}, "slot.remove": {"slot": 1},
    "slot.add": {"label": "mine", "key": base64_text(bytes(32))},
    "clock.accept": {}, "clock.set_floor": {"time": a_minute_ago()},
    "policy.get": {}, "policy.set": {"policy": "policy 1\n"}, "policy.explain": {"seq": 1},
    "audit.export": {}, "audit.checkpoint": {}, "audit.archive": {"through": 1, "head": "0" * 64},
}

# Calls about nothing that is a tenant's, and whether anybody who is connected may make them.
FREE = {"hello": ({}, True), "health": ({}, True),
        "unseal": ({"key": base64_text(bytes(32))}, False)}


def _resolved(schema: dict) -> dict:
    reference = schema.get("$ref")
    return SCHEMA["components"]["schemas"][reference.rsplit("/", 1)[1]] if reference else schema


def _places(schema: dict, path: str) -> set:
    if schema.get("$ref") in NAMES:
        return {path}
    schema = _resolved(schema)
    if schema.get("pattern") == OPAQUE:
        return {path}
    found = set()
    for name, inner in schema.get("properties", {}).items():
        found |= _places(inner, f"{path}.{name}")
    if "items" in schema:
        found |= _places(schema["items"], f"{path}[]")
    return found


def places(method: dict) -> set:
    """Where the parameters of a method name a namespace or an opaque id."""
    return set().union(*(_places(param["schema"], param["name"]) for param in method["params"]))


def missing(methods: List[dict], table: List[Call], found: Dict[str, List[dict]]) -> List[str]:
    """What of the schema is not in the tables, and what of the tables not in the schema."""
    problems = []
    for method in methods:
        name, scope = method["name"], method["x-scope"]
        here = [call for call in table if call.method == name]
        expected = places(method)
        if {call.place for call in here} != expected or len(here) != len(expected):
            problems.append(f"{name}: names something at {sorted(expected)}, which is not called")
        if (name in WHOLE) != (scope == "vault"):
            problems.append(f"{name}: is of scope {scope}")
        if (name in FREE) != (scope == "none"):
            problems.append(f"{name}: is of scope {scope}")
        needs = [param["name"] for param in method["params"] if param["required"]]
        is_unnamed = scope == "filtered" and not expected & set(needs)
        if (name in found) != is_unnamed:
            problems.append(f"{name}: filters what it shows, and is not called without a name")
        if any(call.whole != (scope == "vault") for call in here):
            problems.append(f"{name}: is of scope {scope}")
    known = {method["name"] for method in methods}
    for name in {call.method for call in table} | set(found) | set(WHOLE) | set(FREE):
        if name not in known:
            problems.append(f"{name}: there is no such method")
    return problems
