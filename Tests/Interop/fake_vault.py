#!/usr/bin/env python3
"""A toy vault over the simulated device, to try the runs and the fault suite without a daemon.

It keeps everything in memory and knows only the calls those use. It is no reference for
the wire contract beyond that.
"""

import argparse
import hashlib
import json
import os
import secrets
import socketserver
import threading
from datetime import datetime, timezone

import cbor2
from cryptography.hazmat.primitives import serialization

import fake_sign
from aliro_reader import crypto, exchange
from fake_sign import Refusal
from simulated_device import DeviceConfig, SimulatedDevice
from simulated_rules import Refused
from vault_client import base64_text, octets_of

NAMESPACES = {}
LOCK = threading.Lock()


def key_public(params: dict, _: dict) -> dict:
    with LOCK:
        created = params["namespace"] not in NAMESPACES
        entry = NAMESPACES.setdefault(params["namespace"], {"key": crypto.new_key()})
    spki = entry["key"].public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return {"namespace": params["namespace"], "purpose": "presentation", "version": 1,
            "created": created, "point": base64_text(crypto.point_of(entry["key"])),
            "spki": base64_text(spki)}


def pass_store(params: dict, _: dict) -> dict:
    entry, stored = NAMESPACES[params["namespace"]], params["pass"]
    document = octets_of(stored["access_document"])
    times, texts = document_times(document)
    if datetime.now(timezone.utc) >= times[2]:
        raise Refusal("expired", -32006)
    entry.update(times=times, signed=texts[0], persistent={}, revoked=None,
                 documents={"aliro-a": document}, mailbox=mailbox_of(entry, stored))
    if "revocation_document" in stored:
        entry["documents"]["aliro-r"] = octets_of(stored["revocation_document"])
        entry["revoked"] = document_times(entry["documents"]["aliro-r"])[1][0]
    entry["groups"] = of_groups(stored, "issuer_ca_public_key")
    entry["resolving"] = of_groups(stored, "group_resolving_key")
    return {"replaced": False, "digest": base64_text(hashlib.sha256(document).digest()),
            "signed": texts[0], "valid_from": texts[1], "valid_until": texts[2],
            "reader_groups": [group["reader_group_id"] for group in stored["reader_groups"]],
            "seq": 1}


def of_groups(stored: dict, member: str) -> dict:
    """What the reader groups have under a name, by group identifier."""
    return {octets_of(group["reader_group_id"]): octets_of(group[member])
            for group in stored["reader_groups"] if member in group}


def document_times(document: bytes) -> tuple:
    mso = cbor2.loads(cbor2.loads(cbor2.loads(document)["1"]["2"][2]).value)
    times = [mso["6"][name] for name in "123"]
    return times, [moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in times]


def mailbox_of(entry: dict, stored: dict):
    """One of the same size stays as it is."""
    settings, former = stored.get("mailbox"), entry.get("mailbox")
    if settings is None:
        return None
    keep = former is not None and len(former.contents) == settings["size"]
    return exchange.Mailbox(bytes(former.contents) if keep else bytes(settings["size"]),
                            settings["readable"], settings["writable"], settings["step_up"])


def problem_of(entry: dict):
    now = datetime.now(timezone.utc)
    if "times" not in entry:
        return "pass_missing"
    if now >= entry["times"][2]:
        return "expired"
    return "not_yet_valid" if now < entry["times"][1] else None


def presentation_open(params: dict, sessions: dict) -> dict:
    entry = NAMESPACES[params["namespace"]]
    confirmed = params.get("user_confirmed", False) and entry.get("confirmation", False)
    persistent = entry.setdefault("persistent", {})
    while len(persistent) > 64:
        persistent.pop(next(iter(persistent)))
    config = DeviceConfig(
        credential=entry["key"], groups=entry.get("groups", {}), transport=params["transport"],
        signed_time=entry.get("signed"), revocation_time=entry.get("revoked"),
        documents=entry.get("documents", {}), mailbox=entry.get("mailbox"),
        persistent=persistent, user_confirmed=confirmed,
        pass_problem=problem_of(entry))
    if config.transport == "ble":
        config.intent, config.versions = params["intent"], octets_of(params["reader_versions"])
    device = SimulatedDevice(config)
    identifier = secrets.token_hex(16)
    sessions[identifier] = device
    result = {"presentation": identifier, "messages": [base64_text(m) for m in device.open()],
              "state": device.state, "events": [], "expires": "2026-01-01T00:00:00Z", "seq": 1}
    if config.transport == "ble":
        result["timeout_ms"] = int(config.auth0_timeout * 1000)
    return result


def presentation_exchange(params: dict, sessions: dict) -> dict:
    message = octets_of(params["message"])
    if len(message) > 4096:
        raise Refusal("too_large", -32018)
    device = running(params, sessions)
    return step(device, device.receive(message))


def presentation_request(params: dict, sessions: dict) -> dict:
    device = running(params, sessions)
    ranging = params.get("ranging")
    try:
        messages = device.request(params["request"], ranging and (
            ranging["message"], octets_of(ranging["payload"])))
    except Refused as refused:
        raise Refusal(refused.code) from refused
    return step(device, messages)


def presentation_close(params: dict, sessions: dict) -> dict:
    running(params, sessions).reset("failed")
    return {"state": "closed", "seq": 1}


def running(params: dict, sessions: dict) -> SimulatedDevice:
    device = sessions.get(params["presentation"])
    if device is None:
        raise Refusal("not_found", -32003)
    if device.state in ("failed", "finished"):
        raise Refusal("protocol_error")
    return device


def step(device: SimulatedDevice, messages: list) -> dict:
    result = {"messages": [base64_text(m) for m in messages], "state": device.state,
              "events": device.events, "disconnect": device.disconnect, "seq": 1,
              "ranging": [{"message": kind, "payload": base64_text(payload)}
                          for kind, payload in device.ranging]}
    if device.status_word:
        result["status_word"] = device.status_word.lower()
    if device.refusal:
        result["refusal"] = {"code": device.refusal.code, "message": str(device.refusal)}
    return result


def namespace_configure(params: dict, _: dict) -> dict:
    NAMESPACES[params["namespace"]]["confirmation"] = params["user_confirmation"]
    return {"seq": 1}


METHODS = {
    "status": lambda params, sessions: {"state": "unsealed"},
    "key.public": key_public, "pass.store": pass_store,
    "namespace.configure": namespace_configure,
    "presentation.open": presentation_open, "presentation.exchange": presentation_exchange,
    "presentation.request": presentation_request, "presentation.close": presentation_close,
    "presentation.sign": lambda params, _: fake_sign.sign(NAMESPACES[params["namespace"]], params),
    "presentation.match": lambda params, _: fake_sign.match(NAMESPACES, params),
}


class Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        sessions: dict = {}
        for line in self.rfile:
            request = json.loads(line)
            answer = {"jsonrpc": "2.0", "id": request["id"]}
            try:
                answer["result"] = METHODS[request["method"]](
                    request.get("params", {}), sessions)
            except Refusal as error:
                answer["error"] = {"code": error.number, "message": repr(error),
                                   "data": {"code": error.code, "retry": False}}
            except Exception as error:      # above all in a vault that was weakened
                code = "invalid_params" if isinstance(error, KeyError) else "internal"
                answer["error"] = {"code": -32603, "message": repr(error),
                                   "data": {"code": code, "retry": False}}
            self.wfile.write(json.dumps(answer).encode() + b"\n")


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("socket", help="path to listen on; serves both roles")
    path = parser.parse_args().socket
    if os.path.exists(path):
        parser.error(f"{path} exists")
    try:
        Server(path, Handler).serve_forever()
    finally:
        os.unlink(path)


if __name__ == "__main__":
    main()
