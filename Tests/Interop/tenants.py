#!/usr/bin/env python3
"""Tries every method across tenants: what one may not do must look the same whatever the other has.

Two tenants of one vault, each with all methods for its own names. For each call of `tenant_calls`,
tenant A names, on both sockets, what is tenant B's: something that is there, that never was, that
was revoked or is suspended. The answers must not differ in one octet, nor hold anything of B's, nor
change anything; and B's own answer must be another one. So a vault that refuses everything does not
pass.

Takes an unsealed vault and root. Replaces its policy by one with the administrator root.
"""

import argparse
import json
import re
import secrets
import sys
from pathlib import Path
from typing import Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import crypto  # noqa: E402
from door import Door, usual_validity  # noqa: E402
from presenting import open_parameters  # noqa: E402
from tenant_calls import (  # noqa: E402
    BIQLI_REQUEST, BIQLI_STATE, FILTERED, FLINKEY_BOX, FLINKEY_PORTAL, FLINKEY_USER, FORBIDDEN,
    FREE, NOKE_LOCK, NOKE_PAIR, NOT_FOUND, SCHEMA, WHOLE, Call, calls, missing, unnamed)
from tenant_process import TenantProcess  # noqa: E402
from vault_client import VaultClient, octets_of  # noqa: E402

STATES = ("live", "none", "dead", "held")
ENDPOINTS = ("admin", "client")
POLICY = """policy 1
allow user:0
  methods admin
  namespaces **
allow user:{a}
  methods * renewer
  namespaces tenant-a tenant-a/** zone-a/**
allow user:{b}
  methods * renewer
  namespaces {names}
"""
NAMES_OF_B = "tenant-b tenant-b/**"


class Matrix:
    """`admin(method, params)` gives the result of a call that may do everything; `ask(tenant,
    endpoint, method, params, connection)` the line that answers tenant "a" or "b"."""

    def __init__(self, admin, ask, uids: Dict[str, int]):
        self.admin, self._ask, self.uids = admin, ask, uids
        self.problems: List[str] = []
        self.answers: List[bytes] = []
        self.foreign = {b"tenant-b"}
        self.door = Door()
        self.valid_from, self.valid_until = usual_validity()
        some = self.door.unlock_pass(
            crypto.point_of(crypto.new_key()), self.valid_from, self.valid_until)
        self.calls = calls(self.door, some)
        self.unnamed = unnamed(self.door)
        self.admin_only = {method["name"] for method in SCHEMA["methods"] if method["x-admin-only"]}

    # --- the two tenants ------------------------------------------------------------------------

    def a(self, method: str, params: dict, endpoint: str = "admin", connection: int = 0) -> bytes:
        answer = self._ask("a", endpoint, method, params, connection)
        self.answers.append(answer)
        return answer

    def b(self, method: str, params: dict, connection: int = 0) -> bytes:
        return self._ask("b", "admin", method, params, connection)

    def govern(self, names_of_b: str = NAMES_OF_B) -> None:
        self.admin("policy.set", {"policy": POLICY.format(**self.uids, names=names_of_b)})

    def settle(self, name: str, state: str) -> None:
        """Makes a namespace of everything that there can be, and brings it into a state."""
        if state == "none":
            return
        keys = [self.admin("key.public", {"namespace": name, "purpose": purpose})["point"]
                for purpose in ("presentation", "signing")]
        self.admin("pass.store", {"namespace": name, "pass": self.door.unlock_pass(
            octets_of(keys[0]), self.valid_from, self.valid_until, resolving=True)})
        lock = {"namespace": name, **NOKE_LOCK}
        for _ in range(3):
            # The last one stays pending; the first one is former.
            kept = self.admin("noke.store", {
                **lock, **NOKE_PAIR, "offline_key": secrets.token_hex(16)})
            if kept.get("generation") == 2:
                self.admin("noke.promote", lock)
            if name.startswith("tenant-b") and "fingerprint" in kept:
                self.foreign.add(kept["fingerprint"].encode())
        self.admin("biqli.open", {"namespace": name, **BIQLI_STATE})
        self.admin("biqli.capture", {"namespace": name, "token": f"bqmh_{secrets.token_hex(21)}x"})
        begun = self.admin("biqli.begin", {"namespace": name, **BIQLI_REQUEST})
        self.admin("flinkey.store", {
            "namespace": name, "environment": "uat", "credentials": FLINKEY_PORTAL})
        self.admin("flinkey.store", {"namespace": name, "environment": "uat", "box": {
            "user": 7, "box_id": FLINKEY_BOX}})
        if name.startswith("tenant-b"):
            self.foreign |= {begun[part].encode() for part in ("event_id", "request_id")
                             if part in begun}
            self.foreign |= {key.encode() for key in keys}
            self.foreign.add(self.admin("namespace.get", {"namespace": name})["id"].encode())
        if state == "held":
            self.admin("namespace.suspend", {"namespace": name})
        if state == "dead":
            self.admin("namespace.revoke", {"namespace": name})

    def check(self, holds: bool, what: str) -> None:
        if not holds:
            self.problems.append(what)

    # --- the matrix -----------------------------------------------------------------------------

    def run(self) -> List[str]:
        methods = SCHEMA["methods"]
        self.problems += missing(methods, self.calls, self.unnamed)
        self.govern()
        for name in ("tenant-a/door", "zone-a/last"):
            self.settle(name, "live")
        alone = self.look_around()
        named = [call for call in self.calls if call.seen != NOT_FOUND]
        for index, call in enumerate(named):
            for state in STATES:
                self.settle(f"tenant-b/{index:02}-{state}", state)
        self.check(self.look_around() == alone, "what A finds depends on what B has")
        for index, call in enumerate(named):
            self.try_name(index, call)
        self.try_sessions([call for call in self.calls if call.seen == NOT_FOUND])
        self.try_whole()
        self.try_log()
        for answer in self.answers:
            for octets in self.foreign:
                self.check(octets not in answer, f"A was told {octets!r}: {answer[:300]!r}")
        return self.problems

    def look_around(self) -> List[bytes]:
        """What A finds without a name to look for, the number of all audit lines aside."""
        return [re.sub(rb'"last": ?\d+', b'"last":0', self.a(method, params, endpoint))
                for endpoint in ENDPOINTS
                for method, each in self.unnamed.items() for params in each]

    def try_name(self, index: int, call: Call) -> None:
        names = [f"tenant-b/{index:02}-{state}" for state in STATES]
        before = [self.view_of(name) for name in names]
        seen = {}
        for endpoint in ENDPOINTS:
            seen[endpoint] = [
                self.a(call.method, call.params(name), endpoint) for name in names]
            self.check_same(call, endpoint, seen[endpoint])
        after = [self.view_of(name) for name in names]
        self.check(after == before, f"{call.about}: it had effects")
        if call.whole:
            own = [self.admin(call.method, call.params(names[0]))]
            self.check(all(own), f"{call.about}: nobody may do it")
            return
        denied = seen["admin"][0]
        mine = f"tenant-a/{index:02}-live"
        self.settle(mine, "live")
        for whose, answer in (("A's own", self.a(call.method, call.params(mine))),
                              ("B's", self.b(call.method, call.params(names[0])))):
            # A line that B may see can be that of a denied call.
            self.check(answer and code_of(answer) != FORBIDDEN and answer != denied,
                       f"{call.about}: {whose} answer is the same: {answer!r}")

    def check_same(self, call: Call, endpoint: str, seen: List[bytes]) -> None:
        where = f"{call.about} on the {endpoint} socket"
        for state, answer in zip(STATES, seen):
            self.check(answer == seen[0], f"{where}: {STATES[0]} and {state} look different: "
                                          f"{seen[0]!r} {answer!r}")
        code = code_of(seen[0])
        if call.method in self.admin_only and endpoint == "client":
            self.check(code == FORBIDDEN, f"{where}: it is served")
        elif call.seen == FILTERED:
            self.check(code is None, f"{where}: {code}")
        else:
            self.check(code == call.seen, f"{where}: {code}")

    def view_of(self, name: str) -> List[bytes]:
        """What B sees of a namespace, audit numbers and the count of its own looks aside."""
        calls = [(method, {}) for method in ("namespace.get", "key.list", "pass.info",
                                             "biqli.instance", "biqli.window")]
        calls.append(("noke.info", NOKE_LOCK))
        return [re.sub(rb'"(seq|attempts)": ?\d+', b'"number":0',
                       self.b(method, {"namespace": name, **params}))
                for method, params in [*calls, ("biqli.begin", BIQLI_REQUEST),
                                       ("flinkey.token", FLINKEY_USER)]]

    # --- sessions -------------------------------------------------------------------------------

    def open_session(self, name: str, connection: int = 0) -> str:
        answer = self.b("presentation.open", open_parameters(name, "nfc"), connection)
        session = json.loads(answer)["result"]["presentation"]
        self.foreign.add(session.encode())
        return session

    def try_sessions(self, table: List[Call]) -> None:
        for index, call in enumerate(table):
            names = [f"tenant-b/s{index}-{state}" for state in ("live", "dead", "held", "lost")]
            for name in names:
                self.settle(name, "live")
            live, dead, held, lost = (self.open_session(name) for name in names)
            over = self.open_session(names[0])
            self.b("presentation.close", {"presentation": over})
            self.admin("namespace.revoke", {"namespace": names[1]})
            self.admin("namespace.suspend", {"namespace": names[2]})
            never = crypto.random_octets(16).hex()
            sessions = [never, live, dead, held, over]
            for endpoint in ENDPOINTS:
                seen = [self.a(call.method, call.params(session), endpoint) for session in sessions]
                # The same user on another connection is a stranger too.
                seen.append(self.b(call.method, call.params(live), connection=1))
                self.check(len(set(seen)) == 1, f"{call.about}: sessions look different: {seen}")
                self.check(code_of(seen[0]) == NOT_FOUND, f"{call.about}: {seen[0]!r}")
            own = self.b(call.method, call.params(live))
            self.check(own not in seen, f"{call.about}: B's answer is the same: {own!r}")
            self.try_lost_right(call, names[3], lost, seen[0])

    def try_lost_right(self, call: Call, name: str, session: str, never: bytes) -> None:
        """A session goes with the right to its namespace, and does not come back with it."""
        self.govern("tenant-b")
        refused = self.b(call.method, call.params(session))
        self.check(code_of(refused) == FORBIDDEN, f"{call.about}: without the right: {refused!r}")
        self.check(name.encode() not in refused, f"{call.about}: names the namespace: {refused!r}")
        self.govern()
        again = self.b(call.method, call.params(session))
        self.check(again == never, f"{call.about}: the session is there again: {again!r}")

    # --- the log --------------------------------------------------------------------------------

    def try_log(self) -> None:
        """A sees the lines of its names; the digest of another line would confirm a guess at it."""
        lines, after = [], 0
        while after is not None:
            page = self.admin("audit.tail", {"after": after, "limit": 1000})
            lines += page["lines"]
            after = page.get("next")
        own = [line["seq"] for line in lines
               if line.get("namespace", "").split("/")[0] in ("tenant-a", "zone-a")]
        seen = json.loads(self.a("audit.tail", {"after": 0, "limit": 1000}))["result"]["lines"]
        self.check([line["seq"] for line in seen] == own[:1000],
                   "audit.tail: A does not see just the lines of its names")
        self.foreign |= {line["prev"].encode() for line in lines if line["seq"] - 1 not in own}

    # --- what names nothing ---------------------------------------------------------------------

    def try_whole(self) -> None:
        for method, params in WHOLE.items():
            for endpoint in ENDPOINTS:
                answer = self.a(method, params, endpoint)
                self.check(code_of(answer) == FORBIDDEN, f"{method}: {answer!r}")
        for method, (params, is_free) in FREE.items():
            answer = self.a(method, params)
            self.check((code_of(answer) == FORBIDDEN) != is_free, f"{method}: {answer!r}")


def code_of(answer: bytes):
    """The class of a refusal; None for a result."""
    return json.loads(answer).get("error", {}).get("data", {}).get("code")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--client-socket", required=True)
    parser.add_argument("--admin-socket", required=True)
    parser.add_argument("--first-uid", type=int, default=40_001)
    options = parser.parse_args()
    sockets = {"client": options.client_socket, "admin": options.admin_socket}
    uids = {"a": options.first_uid, "b": options.first_uid + 1}
    tenants = {tenant: TenantProcess(uid, sockets) for tenant, uid in uids.items()}
    with VaultClient(options.admin_socket) as admin:
        matrix = Matrix(admin.call, lambda tenant, *call: tenants[tenant].ask(*call), uids)
        problems = matrix.run()
    for tenant in tenants.values():
        tenant.close()
    for problem in problems:
        print(f"tenants: {problem}", file=sys.stderr)
    print(f"{len(matrix.calls)} calls of {len(SCHEMA['methods'])} methods, "
          f"{len(matrix.answers)} answers to a stranger, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
