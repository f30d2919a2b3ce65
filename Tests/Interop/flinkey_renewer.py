#!/usr/bin/env python3
"""Renews tokens over the socket as a renewer does, against `flinkey_services.py`, which checks its inputs.

`chain` goes through refusals of every kind; `together` has many renewers at the same moment; `run` renews
until the vault is killed and says which token was stored last, and `check` that it is there; `faults` puts
what is wrong into every parameter. Takes an unsealed vault whose administrator is the caller, and lets it
renew.
"""

import argparse
import json
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Dict, List
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent))

from flinkey_services import EXCHANGE, Services  # noqa: E402
from vault_client import VaultClient, VaultError, WireError, base64_text  # noqa: E402

PORTAL = {"api_key": "key-&=+/", "user_name": "api user@exämple.org", "password": "p&=+ %\"\\ü☃",
          "sdk_key": "sdk \"key\" ☃", "customer_id": 4711}
TENANT = {"namespace": "flinkey/tenant", "environment": "production"}
RULE = "\nallow user:0\n  methods renewer\n  namespaces **\n"


def encoded(form: Dict[str, str]) -> bytes:
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in form.items()).encode()


class Renewer:
    """Does one step after the other, each with the inputs that the vault hands out."""

    def __init__(self, vault: VaultClient, services: Services, problems: List[str]):
        self.vault, self.services, self.problems = vault, services, problems
        self.last = ""
        with urllib.request.urlopen(
                f"{services.address}/login/.well-known/openid-configuration") as answer:
            self.endpoint = json.load(answer)["token_endpoint"]

    def step(self, user: int, remaining: int = 60) -> dict:
        """One step of the renewal; what the vault says when it is done, `{}` when none is due."""
        who = {**TENANT, "user": user}
        work = self.vault.call("flinkey.renew.begin", {**who, "min_remaining": remaining})
        if not work["due"]:
            return {}
        self.last = work["step"]
        outcome = getattr(self, work["step"])(work["inputs"], user)
        return self.vault.call(
            "flinkey.renew.complete", {**who, "lease": work["lease"], **outcome})

    def renew(self, user: int, remaining: int = 60) -> dict:
        done: dict = {}
        while True:
            after = self.step(user, remaining)
            if not after:
                return done
            done = after
            if not after["stored"] or self.last == "tapkey_token":
                return done

    def expect(self, inputs: dict, names: set) -> None:
        if set(inputs) != names:
            self.problems.append(f"handed out: {sorted(inputs)}, not {sorted(names)}")

    def api_token(self, inputs: dict, _: int) -> dict:
        self.expect(inputs, {"api_key", "user_name", "password"})
        return self.post("/v3/oauth2/token", encoded({
            "username": inputs["user_name"], "password": inputs["password"],
            "grant_type": "password"}),
            {"flinkey-API-Key": inputs["api_key"]}, "access_token")

    def id_token(self, inputs: dict, user: int) -> dict:
        self.expect(inputs, {"api_key", "access_token", "sdk_key", "customer_id", "user_id"})
        if inputs["user_id"] != user:
            self.problems.append("another user's ID")
        body = {"customerId": inputs["customer_id"], "sdkKey": inputs["sdk_key"],
                "userId": inputs["user_id"]}
        return self.post("/v3/sdk/token", json.dumps(body).encode(), {
            "flinkey-API-Key": inputs["api_key"], "Content-Type": "application/json",
            "Authorization": f"Bearer {inputs['access_token']}"}, "id_token")

    def tapkey_token(self, inputs: dict, _: int) -> dict:
        self.expect(inputs, {"id_token"})
        return self.post(
            self.endpoint, encoded({**EXCHANGE, "subject_token": inputs["id_token"]}), {},
            "access_token")

    def post(self, path: str, body: bytes, headers: dict, name: str) -> dict:
        address = path if path.startswith("http") else self.services.address + path
        request = urllib.request.Request(address, body, {
            "Content-Type": "application/x-www-form-urlencoded", **headers})
        try:
            with urllib.request.urlopen(request) as answer:
                value = json.load(answer)
        except urllib.error.HTTPError as error:
            value = json.load(error)
            if "error" in value:
                return {"failure": {"reason": "oauth_error", "oauth_error": value["error"]}}
            return {"failure": {"reason": "http_status", "status": error.code}}
        except OSError:
            return {"failure": {"reason": "no_answer"}}
        lifetime = {"expires_in": value["expires_in"]} if "expires_in" in value else {}
        return {"token": value[name], **lifetime}


def prepare(arguments) -> None:
    """Lets the caller renew, and stores what the tenant has."""
    with VaultClient(arguments.admin_socket) as admin:
        policy = admin.call("policy.get")
        if RULE not in policy["policy"]:
            admin.call("policy.set", {"policy": policy["policy"] + RULE})
        admin.call("namespace.create", {"namespace": TENANT["namespace"]})
        admin.call("flinkey.store", {**TENANT, "credentials": PORTAL})


def chain(arguments, problems: List[str]) -> None:
    services = Services(PORTAL)
    with VaultClient(arguments.client_socket) as vault:
        renewer = Renewer(vault, services, problems)

        def check(holds: bool, what: object) -> None:
            if not holds:
                problems.append(f"chain: {what}")

        def standing(user: int) -> dict:
            return vault.call("flinkey.token", {**TENANT, "user": user})

        check(standing(1) | {"seq": 0} == {"state": "renewable", "step": "api_token", "seq": 0},
              "a new user")
        done = renewer.renew(1)
        check(done["state"] == "valid", done)
        token = standing(1)
        check(token["token"] == f"tapkey-1-{services.number}", token)
        check(renewer.step(1) == {}, "nothing is due any more")
        # One token of the API serves all.
        for user in range(2, 6):
            check(renewer.renew(user)["state"] == "valid", f"user {user}")
        check(services.calls[("api_token", None)] == 1, services.calls)
        harmless = {"id_token": [(500, {}), (404, {}), (415, {}), (429, {})],
                    "tapkey_token": [(500, {}), (503, {"error": "temporarily_unavailable"}),
                                     (400, {"error": "slow_down"}),
                                     (400, {"error": "invalid_request"}),
                                     (401, {"error": "invalid_client"})]}
        definite = {"id_token": [(400, {}), (401, {})],
                    "tapkey_token": [(400, {"error": "invalid_grant"}),
                                     (400, {"error": "unauthorized_client"})]}
        user = 10
        for kinds, state in ((harmless, "renewable"), (definite, "blocked")):
            for step, answers in kinds.items():
                for answer in answers:
                    user += 1
                    services.refusals = {(step, user): answer}
                    done = renewer.renew(user)
                    check(not done["stored"] and done["state"] == state, (step, answer, done))
                    check(standing(user)["state"] == state, (step, answer))
                    services.refusals = {}
                    if state == "blocked":
                        try:
                            renewer.step(user)
                            check(False, "a blocked user is renewed")
                        except VaultError as error:
                            check(error.code == "key_unusable" and error.field == "user", error)
                        check(vault.call("flinkey.unblock", {**TENANT, "user": user})["changed"],
                              "was not blocked")
                    check(renewer.renew(user)["state"] == "valid", (step, answer, "afterwards"))
        # Other credentials: the token of the API is got anew, the users' stay.
        before = services.calls[("api_token", None)]
        vault.call("flinkey.store", {**TENANT, "credentials": PORTAL})
        check(standing(1)["token"] == token["token"], "the token went with the credentials")
        renewer.renew(1, remaining=86_400)
        check(services.calls[("api_token", None)] == before + 1, "not got with the new credentials")
        check(standing(1)["token"] == f"tapkey-1-{services.number}", "a token was not replaced")
        vault.call("flinkey.store", {**TENANT, "credentials": {**PORTAL, "drop_tokens": True}})
        check(standing(1)["step"] == "api_token", standing(1))
        check(renewer.renew(1)["state"] == "valid", "after all tokens went")
    problems += services.problems
    services.close()


def together(arguments, problems: List[str]) -> None:
    """Many renewers for few users: no step is ever done by two, and everybody ends with a token."""
    services = Services(PORTAL)
    users = (101, 102, 103)

    def work() -> None:
        with VaultClient(arguments.client_socket) as vault:
            renewer = Renewer(vault, services, problems)
            deadline = time.monotonic() + 120
            left = set(users)
            while left and time.monotonic() < deadline:
                for user in sorted(left):
                    try:
                        if not renewer.step(user):
                            left.discard(user)
                    except VaultError as error:
                        if error.code != "busy" or not error.retry:
                            problems.append(f"together: {error}")
                            return
                        time.sleep(0.005)
            if left:
                problems.append("together: not all users were renewed in time")

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for user in users:
        for step in ("id_token", "tapkey_token"):
            if services.calls[(step, user)] != 1:
                problems.append(f"together: {step} of {user}: {services.calls[(step, user)]} times")
    if services.calls[("api_token", None)] > 1:
        problems.append(f"together: api_token {services.calls[('api_token', None)]} times")
    problems += services.problems
    services.close()


def run(arguments, problems: List[str]) -> None:
    """Renews one user over and over, until the vault goes away."""
    services = Services(PORTAL)
    state = Path(arguments.state)
    before = json.loads(state.read_text()) if state.exists() else {"tokens": {}, "stored": 0}
    services.issued, stored = before["tokens"], before["stored"]
    services.number = max(services.issued.values(), default=0)
    try:
        with VaultClient(arguments.client_socket) as vault:
            renewer = Renewer(vault, services, problems)
            while True:
                try:
                    after = renewer.step(200, remaining=86_400)
                except VaultError as error:
                    # Whoever was killed has the step in hand yet.
                    if error.code != "busy":
                        raise
                    vault.call("flinkey.forget", {**TENANT, "user": 200})
                    stored = 0
                    continue
                if after.get("stored") and renewer.last == "tapkey_token":
                    stored = services.number
                    print(f"stored {stored}", flush=True)
    except WireError:
        pass
    state.write_text(json.dumps(
        {"issued": services.number, "stored": stored, "tokens": services.issued}))
    problems += services.problems
    services.close()


def check_stored(arguments, problems: List[str]) -> None:
    """What was answered is there, or something that came after it."""
    state = json.loads(Path(arguments.state).read_text())
    with VaultClient(arguments.client_socket) as vault:
        found = vault.call("flinkey.token", {**TENANT, "user": 200, "min_remaining": 0})
    number = int(found["token"].split("-")[2]) if "token" in found else 0
    if not state["stored"] <= number <= state["issued"]:
        problems.append(f"token {number} is there, {state['stored']} was stored last")


def wrong(schema: dict) -> list:
    """Values that a parameter does not take."""
    values = [None, 1.5, [], {"x": 1}, True]
    kind = schema.get("type")
    if kind == "integer":
        values += [schema["minimum"] - 1, schema["maximum"] + 1, "1"]
    elif kind == "string" and "enum" in schema:
        values += ["", "other", 1]
    elif kind == "string":
        values += [1, "", "x" * (schema.get("maxLength", 128) + 1), "é" if "pattern" in schema else 2]
    elif kind == "object":
        values += ["", 1]
        values.remove({"x": 1})
    if kind == "boolean":
        values.remove(True)
    return values


def faults(arguments, problems: List[str]) -> None:
    """What is wrong in a parameter is told with its name, and nothing is other than before."""
    document = json.loads(
        (Path(__file__).resolve().parents[2] / "Schema/vault.openrpc.json").read_text())
    user = {**TENANT, "user": 300}
    right = {
        "flinkey.store": {**TENANT, "credentials": PORTAL}, "flinkey.token": user,
        "flinkey.renew.begin": user, "flinkey.block": user, "flinkey.unblock": user,
        "flinkey.forget": user,
        "flinkey.renew.complete": {**user, "lease": base64_text(bytes(16)), "token": "t",
                                   "expires_in": 1},
        "flinkey.box_id": {"namespace": TENANT["namespace"], "box_id": "C1-08-F0-94",
                           "command": {"action": "status"}}}
    services = Services(PORTAL)
    with VaultClient(arguments.client_socket) as vault:
        Renewer(vault, services, problems).renew(300)
        before = vault.call("flinkey.token", user)
        tried = 0
        for method in document["methods"]:
            params = right.get(method["name"])
            if params is None:
                continue
            places = [((param["name"],), param["schema"]) for param in method["params"]]
            places += [((param["name"], name), inner) for param in method["params"]
                       for name, inner in param["schema"].get("properties", {}).items()]
            for path, schema in places:
                if "$ref" in schema:
                    schema = {"type": "string", "maxLength": 128, "pattern": ""}
                for value in wrong(schema):
                    changed = json.loads(json.dumps(params))
                    if path[0] in ("box", "failure", "physical_lock_id"):
                        for other in ("credentials", "token", "expires_in", "box_id"):
                            changed.pop(other, None)
                    holder = changed
                    for name in path[:-1]:
                        holder = holder.setdefault(name, {})
                    holder[path[-1]] = value
                    tried += 1
                    try:
                        vault.call(method["name"], changed)
                        problems.append(f"{method['name']} {path}: {value!r} is taken")
                    except VaultError as error:
                        named = (error.field or "").startswith(path[0])
                        if error.code != "invalid_params" or not named:
                            problems.append(f"{method['name']} {path}: {value!r}: {error}, "
                                            f"field {error.field}")
        after = vault.call("flinkey.token", user)
        if {**before, "seq": 0} != {**after, "seq": 0}:
            problems.append("a call that was refused had an effect")
        if tried < 200:
            problems.append(f"only {tried} faults")
    services.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("act", choices=["chain", "together", "run", "check", "faults"])
    parser.add_argument("--client-socket", required=True)
    parser.add_argument("--admin-socket", required=True)
    parser.add_argument("--state", default="")
    arguments = parser.parse_args()
    problems: List[str] = []
    if arguments.act != "check":
        prepare(arguments)
    {"chain": chain, "together": together, "run": run, "check": check_stored,
     "faults": faults}[arguments.act](arguments, problems)
    for problem in problems:
        print(f"flinkey: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
