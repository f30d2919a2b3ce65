"""The matrix across tenants against weakened vaults: each leak must be noticed, at each method.

The vault here is a toy, which holds nothing but names, states and sessions.
"""

import copy
import json
import sys
import unittest
from pathlib import Path
from typing import Optional
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import tenant_calls  # noqa: E402
from aliro_reader import crypto  # noqa: E402
from door import Door  # noqa: E402
from tenant_calls import FREE, SCHEMA, WHOLE, calls, missing, unnamed  # noqa: E402
from tenants import Matrix  # noqa: E402
from vault_client import base64_text  # noqa: E402

METHODS = {method["name"]: method for method in SCHEMA["methods"]}
NAMED = sorted(name for name, method in METHODS.items()
               if method["x-scope"] == "namespace" or name in ("presentation.match", "audit.tail"))
EFFECTS = {"namespace.create", "namespace.configure", "namespace.suspend", "namespace.resume",
           "namespace.revoke", "key.public", "pass.store", "pass.delete", "noke.store",
           "noke.promote", "noke.demote", "noke.delete", "biqli.open",
           "biqli.capture", "biqli.complete", "biqli.fail", "biqli.reset", "biqli.drop",
           "flinkey.store", "flinkey.renew.begin", "flinkey.renew.complete", "flinkey.block",
           "flinkey.unblock", "flinkey.forget"}
SESSIONS = ("presentation.exchange", "presentation.request", "presentation.close")


class Refused(Exception):
    def __init__(self, code: str, message: str = "no"):
        super().__init__(code)
        self.code, self.message = code, message


class ToyVault:
    """`weakness` and `at` say what is wrong, and with which method."""

    def __init__(self, weakness: str = "", at: str = ""):
        self.weakness, self.at = weakness, at
        self.states, self.changes, self.sessions, self.log = {}, {}, {}, []
        self.names = {"a": ["tenant-a", "zone-a"], "b": ["tenant-b"]}

    def is_weak(self, weakness: str, method: str) -> bool:
        return (self.weakness, self.at) == (weakness, method)

    # --- the administrator ----------------------------------------------------------------------

    def admin(self, method: str, params: dict) -> dict:
        if method == "policy.set":
            # Only what the matrix changes: whether B has what is below its name.
            self.names["b"] = ["tenant-b"] if "tenant-b/**" in params["policy"] else []
            return {}
        if method == "policy.explain":
            return {"allowed": True}
        if method == "audit.tail":
            return {"lines": self.log}
        return self.act(method, params["namespace"], params)

    # --- tenants --------------------------------------------------------------------------------

    def ask(self, tenant: str, endpoint: str, method: str, params: dict, connection: int) -> bytes:
        try:
            result = self.serve(tenant, endpoint, method, params, connection)
            return json.dumps({"id": "t", "result": result}).encode()
        except Refused as error:
            refusal = {"message": error.message, "data": {"code": error.code}}
            return json.dumps({"id": "t", "error": refusal}).encode()

    def allows(self, tenant: str, name: str) -> bool:
        return any(name == top or name.startswith(top + "/") for top in self.names[tenant])

    def serve(self, tenant: str, endpoint: str, method: str, params: dict, connection: int) -> dict:
        described = METHODS[method]
        if described["x-admin-only"] and endpoint == "client":
            raise Refused("forbidden", "use the admin socket")
        if described["x-scope"] == "none":
            if FREE[method][1]:
                return {}
            raise Refused("forbidden")
        if described["x-scope"] == "vault":
            if self.is_weak("serves", method):
                return {}
            raise Refused("forbidden")
        if method in SESSIONS:
            return self.session(tenant, method, params["presentation"], connection)
        if method == "namespace.list":
            return self.list(tenant, params)
        name = params.get("namespace", params.get("prefix"))
        if name is None:
            return self.tail(tenant) if method == "audit.tail" else self.match(tenant)
        if not self.allows(tenant, name):
            self.deny(method, name, params)
        if method == "presentation.open":
            return self.open(tenant, name, connection)
        if self.is_weak("denies", method):
            raise Refused("forbidden")
        return self.act(method, name, params)

    def deny(self, method: str, name: str, params: dict) -> None:
        state = self.states.get(name)
        if self.is_weak("tells unused", method) and state is None:
            raise Refused("not_found")
        if self.is_weak("tells revoked", method) and state == "dead":
            raise Refused("revoked")
        if self.is_weak("tells suspended", method) and state == "held":
            raise Refused("key_unusable")
        if self.is_weak("echoes", method):
            raise Refused("forbidden", f"not {name}")
        if self.is_weak("acts first", method):
            try:
                self.act(method, name, params)
            except Refused:
                pass
        if not self.is_weak("serves", method):
            raise Refused("forbidden")

    def act(self, method: str, name: str, params: dict) -> dict:
        state = self.states.get(name)
        if state is None and method not in ("namespace.create", "key.public"):
            raise Refused("not_found")
        if state == "dead":
            raise Refused("revoked")
        self.log.append({"seq": len(self.log) + 1, "namespace": name,
                         "prev": crypto.random_octets(32).hex()})
        if method in EFFECTS:
            self.changes[name] = self.changes.get(name, 0) + 1
        self.states[name] = {
            "namespace.suspend": "held", "namespace.resume": "live", "namespace.revoke": "dead",
        }.get(method, state or "live")
        if method == "namespace.suspend" or method == "namespace.revoke":
            self.sessions = {key: value for key, value in self.sessions.items() if value[2] != name}
        identity = f"{abs(hash(name)):032x}"[-32:]
        return {"id": identity, "state": self.states[name], "changes": self.changes.get(name, 0),
                "point": base64_text(crypto.random_octets(65)) if method == "key.public" else ""}

    def view_names(self, tenant: str, is_filtered: bool = True) -> list:
        return [name for name in sorted(self.states)
                if not is_filtered or self.allows(tenant, name)]

    def list(self, tenant: str, params: dict) -> dict:
        if self.is_weak("denies", "namespace.list"):
            return {"namespaces": []}
        is_foreign = "prefix" in params and self.is_weak("tells a prefix", "namespace.list")
        names = [name for name in self.view_names(tenant, not is_foreign)
                 if name.startswith(params.get("prefix", "")) and name > params.get("after", "")]
        limit = params.get("limit", 100)
        if self.is_weak("fills pages", "namespace.list"):
            # Filters a page of all names, so that the page falls short of its limit.
            everything = [name for name in sorted(self.states) if name > params.get("after", "")]
            names = [name for name in everything[:limit] if self.allows(tenant, name)
                     and name.startswith(params.get("prefix", ""))]
        page = {"namespaces": names[:limit]}
        if self.is_weak("tells a cursor", "namespace.list"):
            page["next"] = next((name for name in sorted(self.states) if name not in names), None)
        return page

    def match(self, tenant: str) -> dict:
        is_foreign = self.is_weak("tells matches", "presentation.match")
        names = [name for name in self.view_names(tenant, not is_foreign)
                 if self.states[name] == "live"]
        counted = self.view_names(tenant, not self.is_weak("counts", "presentation.match"))
        return {"matches": names, "more": len(counted) > 10}

    def tail(self, tenant: str) -> dict:
        is_foreign = self.is_weak("tells lines", "audit.tail")
        is_whole = self.is_weak("tells digests", "audit.tail")
        counted = self.view_names(tenant, not self.is_weak("counts", "audit.tail"))
        lines = [line if is_whole else {"seq": line["seq"], "namespace": line["namespace"]}
                 for line in self.log if is_foreign or self.allows(tenant, line["namespace"])]
        return {"lines": lines, "last": len(self.log),
                "missing": [] if len(counted) < 10 else [counted[0]]}

    def open(self, tenant: str, name: str, connection: int) -> dict:
        self.act("presentation.open", name, {})
        session = crypto.random_octets(16).hex()
        self.sessions[session] = (tenant, connection, name)
        return {"presentation": session}

    def session(self, tenant: str, method: str, session: str, connection: int) -> dict:
        found = self.sessions.get(session)
        is_strange = found is not None and found[:2] != (tenant, connection)
        if is_strange and self.is_weak("tells a session", method):
            raise Refused("forbidden")
        if is_strange and found[0] == tenant and self.is_weak("shares among connections", method):
            is_strange = False
        if is_strange and self.is_weak("shares", method):
            is_strange = False
        if found is None or is_strange or self.is_weak("denies", method):
            raise Refused("not_found")
        if not self.allows(found[0], found[2]) and not self.is_weak("forgets the right", method):
            if not self.is_weak("keeps the session", method):
                del self.sessions[session]
            raise Refused("forbidden")
        if method == "presentation.close":
            del self.sessions[session]
        return {"state": "open"}


def problems(vault: ToyVault, only: Optional[str] = None) -> list:
    """What the matrix finds, of the calls of one method if it is given: that is quicker."""
    matrix = Matrix(vault.admin, vault.ask, {"a": 1, "b": 2})
    if only is None:
        return matrix.run()
    matrix.calls = [call for call in matrix.calls if call.method == only]
    with mock.patch("tenants.missing", return_value=[]):
        return matrix.run()


@mock.patch.object(Door, "unlock_pass", lambda *_, **__: {})
class Weaknesses(unittest.TestCase):
    def notices(self, weakness: str, method: str, among_all: bool = False) -> None:
        with self.subTest(f"{weakness}: {method}"):
            found = problems(ToyVault(weakness, method), None if among_all else method)
            self.assertTrue(found)
            self.assertTrue(any(words in problem for problem in found
                                for words in (method, "A finds", "A was told")), found)

    def test_a_vault_without_weakness_has_no_problem(self):
        self.assertEqual(problems(ToyVault()), [])

    def test_what_a_denial_tells_is_noticed_at_each_method(self):
        for method in NAMED:
            for weakness in ("tells unused", "tells revoked", "tells suspended", "echoes", "serves",
                             "denies"):
                if (weakness, method) != ("denies", "presentation.open"):
                    self.notices(weakness, method)

    def test_effects_of_denied_calls_are_noticed(self):
        for method in EFFECTS:
            self.notices("acts first", method)

    def test_what_is_not_filtered_is_noticed(self):
        for weakness in ("tells a prefix", "tells a cursor", "fills pages", "denies"):
            self.notices(weakness, "namespace.list", among_all=True)
        for weakness in ("tells matches", "counts"):
            self.notices(weakness, "presentation.match", among_all=True)
        for weakness in ("tells lines", "tells digests", "counts"):
            self.notices(weakness, "audit.tail", among_all=True)

    def test_what_sessions_tell_is_noticed(self):
        for method in SESSIONS:
            for weakness in ("tells a session", "shares", "shares among connections", "denies",
                             "forgets the right", "keeps the session"):
                self.notices(weakness, method)

    def test_methods_for_the_whole_vault_are_tried(self):
        for method in WHOLE:
            self.notices("serves", method)


class Tables(unittest.TestCase):
    def setUp(self):
        door = Door()
        self.table, self.unnamed = calls(door, {}), unnamed(door)
        self.methods = copy.deepcopy(SCHEMA["methods"])

    def missing(self) -> list:
        return missing(self.methods, self.table, self.unnamed)

    def test_the_tables_have_every_method_and_place_of_the_schema(self):
        self.assertEqual(self.missing(), [])

    def test_a_call_that_is_not_there_is_missed(self):
        for call in list(self.table):
            self.table.remove(call)
            self.assertTrue(any(problem.startswith(call.method) for problem in self.missing()))
            self.table.append(call)
        for table in (WHOLE, FREE, self.unnamed):
            for method in list(table):
                with mock.patch.dict(table):
                    del table[method]
                    self.assertTrue(any(problem.startswith(method) for problem in self.missing()))

    def method(self, scope: str, schema: Optional[dict] = None, name: str = "new.method") -> dict:
        param = {"name": "about", "required": False, "schema": schema}
        return {"name": name, "x-scope": scope, "params": [param] if schema else []}

    def test_a_new_method_or_place_is_missed(self):
        name = {"$ref": "#/components/schemas/Namespace"}
        added = [self.method(scope) for scope in ("none", "vault", "filtered")]
        for inner in (name, {"type": "array", "items": name}, {"pattern": tenant_calls.OPAQUE},
                      {"type": "object", "properties": {"deep": name}}):
            added += [self.method(scope, inner) for scope in ("vault", "namespace", "filtered")]
        for method in added:
            self.methods.append(method)
            self.assertTrue(any(p.startswith("new.method") for p in self.missing()), method)
            self.methods.pop()
        self.methods.pop()
        self.assertTrue(self.missing())


if __name__ == "__main__":
    unittest.main()
