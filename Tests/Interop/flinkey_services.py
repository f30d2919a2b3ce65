"""A stand-in of the flinkey API and of Tapkey's token endpoint, from the protocol notes alone.

It looks at every request as strictly as a service may, issues numbered tokens, and remembers what was wrong, how
many calls each step had, and how many of one user were under way at the same moment.
"""

import base64
import json
import re
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Dict, List, Optional
from urllib.parse import unquote_to_bytes

ENCODED = re.compile(r"(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*", re.ASCII)
EXCHANGE = {
    "grant_type": "http://tapkey.net/oauth/token_exchange", "client_id": "wma-native-mobile-app",
    "scope": "register:mobiles read:user handle:keys", "provider": "wma.oauth",
    "subject_token_type": "jwt", "audience": "tapkey_api", "requested_token_type": "access_token"}


def part(value: dict) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


class Services:
    """`portal` is what a tenant has; `refusals` maps (step, user) to an answer that refuses."""

    def __init__(self, portal: dict, lifetime: int = 3600):
        self.portal, self.lifetime = portal, lifetime
        self.problems: List[str] = []
        self.calls: Counter = Counter()
        self.refusals: Dict[tuple, tuple] = {}
        self.issued: Dict[str, int] = {}
        self.number = 0
        self._lock = threading.Lock()
        self._under_way: Counter = Counter()
        handler = type("Handler", (_Handler,), {"services": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def check(self, holds: bool, what: str) -> None:
        if not holds:
            self.problems.append(what)

    def token(self, kind: str, user: int = 0) -> str:
        with self._lock:
            self.number += 1
            text = f"{kind}-{user}-{self.number}"
            self.issued[text] = self.number
        return text

    def enter(self, step: str, user: Optional[int]) -> None:
        with self._lock:
            self.calls[(step, user)] += 1
            self._under_way[user] += 1
            self.check(self._under_way[user] == 1, f"{step}: two at once for user {user}")
        # Long enough for another one to come in, if it could.
        time.sleep(0.01)

    def leave(self, user: Optional[int]) -> None:
        with self._lock:
            self._under_way[user] -= 1

    # --- the three calls --------------------------------------------------------------------

    def api_token(self, headers, body: bytes) -> tuple:
        form = self.form(headers, body)
        self.check(headers["flinkey-API-Key"] == self.portal["api_key"], "another API key")
        self.check(form == {"username": self.portal["user_name"],
                            "password": self.portal["password"], "grant_type": "password"},
                   f"another form: {sorted(form)}")
        return self.answer("api_token", None, lambda: {
            "token_type": "Bearer", "expires_in": str(self.lifetime),
            "access_token": self.token("api")})

    def id_token(self, headers, body: bytes) -> tuple:
        self.check(headers["Content-Type"] == "application/json", "no JSON")
        self.check(headers["flinkey-API-Key"] == self.portal["api_key"], "another API key")
        kind, _, bearer = headers["Authorization"].partition(" ")
        self.check(kind == "Bearer" and bearer in self.issued, "no token of this service")
        asked = json.loads(body)
        user = asked.pop("userId", None)
        self.check(asked == {"customerId": self.portal["customer_id"],
                             "sdkKey": self.portal["sdk_key"]}, f"another body: {sorted(asked)}")

        def make() -> dict:
            mark = self.token("id", user)
            claims = {"sub": str(user), "jti": mark, "aud": "tapkey_api",
                      "exp": int(time.time()) + self.lifetime}
            return {"id_token": f"{part({'alg': 'RS256'})}.{part(claims)}.c2lnbmF0dXJl"}

        return self.answer("id_token", user, make)

    def tapkey_token(self, headers, body: bytes) -> tuple:
        form = self.form(headers, body)
        subject = form.pop("subject_token", "..")
        self.check(form == EXCHANGE, f"another form: {form}")
        padded = subject.split(".")[1] + "=" * (-len(subject.split(".")[1]) % 4)
        claims = json.loads(base64.urlsafe_b64decode(padded))
        self.check(claims["jti"] in self.issued, "an IdToken of somebody else")
        self.check(claims["exp"] > time.time(), "an IdToken that has ended")
        user = int(claims["sub"])
        return self.answer("tapkey_token", user, lambda: {
            "access_token": self.token("tapkey", user), "expires_in": self.lifetime,
            "token_type": "Bearer"})

    def answer(self, step: str, user: Optional[int], make) -> tuple:
        self.enter(step, user)
        try:
            refusal = self.refusals.get((step, user))
            return refusal if refusal else (200, make())
        finally:
            self.leave(user)

    def form(self, headers, body: bytes) -> Dict[str, str]:
        self.check(headers["Content-Type"] == "application/x-www-form-urlencoded", "no form")
        values: Dict[str, str] = {}
        for pair in body.decode("ascii").split("&"):
            name, _, value = pair.partition("=")
            self.check(ENCODED.fullmatch(name) is not None and ENCODED.fullmatch(value) is not None,
                       f"{name} is not percent-encoded")
            values[name] = unquote_to_bytes(value).decode()
        return values


class _Handler(BaseHTTPRequestHandler):
    services: Services
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        found = self.path == "/login/.well-known/openid-configuration"
        self.say(200 if found else 404, {
            "token_endpoint": f"{self.services.address}/login/connect/token"} if found else {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        step = {"/v3/oauth2/token": self.services.api_token,
                "/v3/sdk/token": self.services.id_token,
                "/login/connect/token": self.services.tapkey_token}.get(self.path)
        if step is None:
            return self.say(404, {})
        self.say(*step(self.headers, body))

    def say(self, status: int, value: dict) -> None:
        octets = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *_: object) -> None:
        pass
