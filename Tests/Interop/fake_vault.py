#!/usr/bin/env python3
"""A toy vault over the simulated device, to try the runs and the fault suite without a daemon.

It keeps everything in memory and knows only the calls those use. It is no reference for
the wire contract beyond that.
"""

import argparse
import base64
import hashlib
import json
import os
import secrets
import socketserver
import threading
from datetime import datetime, timezone

import cbor2
from cryptography.hazmat.primitives import serialization

from aliro_reader import crypto
from simulated_device import DeviceConfig, SimulatedDevice

NAMESPACES = {}
LOCK = threading.Lock()


class Refusal(Exception):
    def __init__(self, code: str, number: int = -32011):
        super().__init__(code)
        self.code, self.number = code, number


def b64(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


def unb64(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def key_public(params: dict, _: dict) -> dict:
    with LOCK:
        created = params["namespace"] not in NAMESPACES
        entry = NAMESPACES.setdefault(params["namespace"], {"key": crypto.new_key()})
    spki = entry["key"].public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return {"namespace": params["namespace"], "purpose": "presentation", "version": 1,
            "created": created, "point": b64(crypto.point_of(entry["key"])), "spki": b64(spki)}


def pass_store(params: dict, _: dict) -> dict:
    entry, stored = NAMESPACES[params["namespace"]], params["pass"]
    document = unb64(stored["access_document"])
    mso = cbor2.loads(cbor2.loads(cbor2.loads(document)["1"]["2"][2]).value)
    entry["times"] = [mso["6"][name] for name in "123"]
    entry["groups"] = {unb64(group["reader_group_id"]): unb64(group["issuer_ca_public_key"])
                       for group in stored["reader_groups"]}
    texts = [moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in entry["times"]]
    entry["signed"] = texts[0]
    return {"replaced": False, "digest": b64(hashlib.sha256(document).digest()),
            "signed": texts[0], "valid_from": texts[1], "valid_until": texts[2],
            "reader_groups": [group["reader_group_id"] for group in stored["reader_groups"]],
            "seq": 1}


def presentation_open(params: dict, sessions: dict) -> dict:
    entry = NAMESPACES[params["namespace"]]
    problem, now = None, datetime.now(timezone.utc)
    if "times" not in entry:
        problem = "pass_missing"
    elif now >= entry["times"][2]:
        problem = "expired"
    elif now < entry["times"][1]:
        problem = "not_yet_valid"
    device = SimulatedDevice(DeviceConfig(
        credential=entry["key"], groups=entry.get("groups", {}),
        signed_time=entry.get("signed"), versions=unb64(params["reader_versions"]),
        action=1 if params["intent"] == "unsecure" else 0, pass_problem=problem))
    identifier = secrets.token_hex(16)
    sessions[identifier] = device
    return {"presentation": identifier, "messages": [b64(m) for m in device.open()],
            "state": device.state, "events": [], "expires": "2026-01-01T00:00:00Z", "seq": 1}


def presentation_exchange(params: dict, sessions: dict) -> dict:
    device = sessions.get(params["presentation"])
    if device is None:
        raise Refusal("not_found", -32003)
    if device.state in ("failed", "finished"):
        raise Refusal("protocol_error")
    message = unb64(params["message"])
    if len(message) > 4096:
        raise Refusal("too_large", -32018)
    result = {"messages": [b64(m) for m in device.receive(message)], "state": device.state,
              "events": device.events, "seq": 1}
    if device.status_word:
        result["status_word"] = device.status_word
    if device.refusal:
        result["refusal"] = {"code": device.refusal.code, "message": str(device.refusal)}
    return result


METHODS = {
    "status": lambda params, sessions: {"state": "unsealed"},
    "key.public": key_public, "pass.store": pass_store,
    "presentation.open": presentation_open, "presentation.exchange": presentation_exchange,
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
            except (Refusal, KeyError, ValueError) as error:
                code = getattr(error, "code", "invalid_params")
                answer["error"] = {"code": getattr(error, "number", -32602), "message": repr(error),
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
