"""What calls with canaries are about, and the parameters of such calls."""

import argparse
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Callable, Dict, Iterator, Optional, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import crypto  # noqa: E402
from bench import ELEMENTS, Bench  # noqa: E402
from canary import Canaries, Form, Place, Schema, answered, forms, put  # noqa: E402
from canary_callers import Caller, Told  # noqa: E402
from door import Door, mailbox_settings, usual_validity  # noqa: E402
from faults_sign import ADDRESS, SignCall, advertise  # noqa: E402
from mixed_calls import key_file_secret  # noqa: E402
from presenting import open_parameters  # noqa: E402
from vault_client import a_minute_ago, base64_text, octets_of  # noqa: E402

LIMITED = 61_002        # a user with a rate
POLICY = """
allow user:{limited}
  methods key.sign status
  namespaces limited/*
  rate 1 burst 2
allow user:0
  methods renewer
  namespaces **
"""
# Of two parameters, one is given.
ALTERNATIVES = [{"passphrase", "key"}, {"message", "digest"}, {"namespace", "prefix"},
                {"call", "seq"}, {"link", "token"},
                {"credentials", "box"}, {"token", "failure"}, {"box_id", "physical_lock_id"}]
# What a lock answers when it has opened.
SUCCESS = "516001" + "0" * 34
BIQLI_STATE = {"app_id": "biq_mapp_0123456789ABCDEFGHJKMNPQRS", "marker": base64_text(bytes(16))}
BIQLI_REQUEST = {"platform": "ios", "probabilistic_allowed": False, "os_version": "19",
                 "sdk_version": "1"}
FLINKEY_USER = {"environment": "uat", "user": 7}
FLINKEY_PORTAL = {"api_key": "k", "user_name": "u", "password": "p", "sdk_key": "s",
                  "customer_id": 1}


class Prefixed:
    """Canaries whose names begin with where the call was made."""

    def __init__(self, canaries: Canaries, where: str):
        self._canaries, self._where = canaries, where

    def octets(self, name: str, *more) -> bytes:
        return self._canaries.octets(self._where + name, *more)

    def text(self, name: str, *more) -> str:
        return self._canaries.text(self._where + name, *more)

    def foreign(self, name: str, *more) -> str:
        return self._canaries.foreign(self._where + name, *more)

    def digits(self, name: str, *more) -> str:
        return self._canaries.digits(self._where + name, *more)

    def number(self, name: str, *more) -> int:
        return self._canaries.number(self._where + name, *more)


class Subjects:
    """What calls with canaries are about: namespaces in every state, and parameters that work."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.told, self.canaries, self.schema = Told(), Canaries(), Schema()
        self.fields: set = set()
        self.full_codes: Dict[str, Counter] = {}
        self.admin = Caller(self.told, arguments.admin_socket)
        self.client = Caller(self.told, arguments.client_socket)
        self.observer = Caller(self.told, arguments.admin_socket, "other")
        self.bench = Bench()
        self.lock = crypto.random_octets(6).hex()
        self.key = base64_text(key_file_secret(arguments.key_file))
        call = self.admin.call
        call("key.public", {"namespace": self.bench.namespace, "purpose": "signing"})
        for state in ("revoked", "suspended"):
            for purpose in ("presentation", "signing"):
                call("key.public", {"namespace": f"state/{state}", "purpose": purpose})
        call("namespace.revoke", {"namespace": "state/revoked"})
        call("namespace.suspend", {"namespace": "state/suspended"})
        call("key.public", {"namespace": "limited/door", "purpose": "signing"})
        self.passes()
        # The readers of the bench expect the time of its first pass.
        self.pass_of_bench = self.bench.door.unlock_pass(
            self.bench.credential, self.bench.signed, usual_validity()[1], elements=ELEMENTS,
            revocation=True, mailbox=mailbox_settings(), resolving=True, names_issuer=True)
        self.policy = call("policy.get")["policy"] + POLICY.format(limited=LIMITED)
        call("policy.set", {"policy": self.policy})

    def passes(self) -> None:
        """Namespaces with keys whose pass is missing, over, or not yet valid."""
        start, end = usual_validity()
        week = timedelta(days=7)
        for state, validity in (("bare", None), ("expired", (start - 2 * week, end - 2 * week)),
                                ("early", (start + 2 * week, end + 2 * week))):
            name = f"state/{state}"
            self.admin.call("key.public", {"namespace": name, "purpose": "signing"})
            point = self.admin.call("key.public", {"namespace": name})["point"]
            if validity is None:
                continue
            # Whether it is taken or not: its resolving key is a secret.
            door = Door()
            self.canaries.known(f"{name}: resolving key", door.resolving_key)
            self.admin.ask("pass.store", {"namespace": name, "pass": door.unlock_pass(
                octets_of(point), *validity, resolving=True)})

    def parameters(self, method: str, caller: Optional[Caller]) -> dict:
        """Parameters that do something, made anew where they serve once; a caller may be given whose
        connection has a presentation then."""
        bench, space = self.bench, {"namespace": self.bench.namespace}
        presentation = {"presentation": "0" * 32}
        if caller and method in ("presentation.exchange", "presentation.request"):
            presentation = {"presentation": self.opened(caller)}
        made: Dict[str, Callable[[], dict]] = {
            "unseal": lambda: {"key": base64_text(crypto.random_octets(32))},
            "slot.add": lambda: {"label": "one", "key": base64_text(crypto.random_octets(32))},
            "slot.remove": lambda: {"slot": 999},
            "clock.set_floor": lambda: {"time": a_minute_ago()},
            "policy.set": lambda: {"policy": self.policy, "dry_run": True},
            "audit.archive": lambda: {"through": 1, "head": "0" * 64},
            "policy.explain": lambda: {"call": {"method": "key.sign", "user": "root"}},
            "namespace.create": lambda: {"namespace": "canary/made"},
            "namespace.configure": lambda: {**space, "user_confirmation": False},
            "namespace.resume": lambda: space,
            "namespace.suspend": lambda: {"namespace": "state/suspended"},
            "namespace.revoke": lambda: {"namespace": "state/revoked"},
            "pass.delete": lambda: {"namespace": "limited/door"},
            "key.sign": lambda: {**space, "message": "", "format": "raw"},
            "pass.store": lambda: {**space, "pass": self.pass_of_bench},
            "presentation.match": lambda: {
                "advertisement": base64_text(advertise(bench.door)),
                "address": base64_text(ADDRESS)},
            "presentation.open": lambda: open_parameters(bench.namespace, "ble"),
            "presentation.exchange": lambda: {
                **presentation, "message": base64_text(crypto.random_octets(40))},
            "presentation.request": lambda: {**presentation, "request": "ranging", "ranging": {
                "message": "m2", "payload": base64_text(crypto.random_octets(40))}},
            "presentation.close": lambda: presentation,
            "presentation.sign": lambda: SignCall(bench).parameters(),
            "noke.store": lambda: {**space, "mac": self.lock, **self.pair()},
            "noke.info": lambda: self.locked(space, 1),
            "noke.unlock": lambda: {**self.locked(space, 1), "session": self.session()},
            "noke.report": lambda: {**self.unlocked(space), "response": SUCCESS},
            "noke.promote": lambda: self.locked(space, 2),
            "noke.demote": lambda: self.promoted(space),
            "noke.delete": lambda: self.locked(space, 1),
            "biqli.open": lambda: self.without_state(space),
            "biqli.capture": lambda: {**space, "link": "https://links.example/"},
            "biqli.begin": lambda: {**space, **BIQLI_REQUEST},
            "biqli.complete": lambda: {**self.pending(space), "result": answered("none", "q", "")},
            "biqli.fail": lambda: {**self.pending(space), "status": 404},
            "biqli.drop": lambda: self.pending(space),
            "flinkey.store": lambda: {
                **space, "environment": "uat", "credentials": dict(FLINKEY_PORTAL)},
            "flinkey.token": lambda: {**space, **FLINKEY_USER},
            "flinkey.renew.begin": lambda: {**space, **FLINKEY_USER, "lease_seconds": 10},
            "flinkey.renew.complete": lambda: {
                **space, **FLINKEY_USER, "lease": base64_text(bytes(16)),
                "failure": {"reason": "no_answer"}},
            "flinkey.block": lambda: {**space, **FLINKEY_USER},
            "flinkey.unblock": lambda: {**space, **FLINKEY_USER},
            "flinkey.forget": lambda: {**space, **FLINKEY_USER},
            "flinkey.box_id": lambda: {**space, "box_id": "C1-08-F0-94"},
        }
        if method in made:
            return made[method]()
        asked = {place.path[0] for place in self.schema.methods[method]}
        return dict(space) if "namespace" in asked else {}

    def opened(self, caller: Caller) -> str:
        """A presentation of the caller's; a connection may have some open only."""
        if caller.presentation:
            caller.ask("presentation.close", {"presentation": caller.presentation})
        caller.presentation = caller.call(
            "presentation.open", open_parameters(self.bench.namespace, "ble"))["presentation"]
        return caller.presentation

    def pair(self) -> dict:
        """A pair of a lock that is fresh."""
        return {"offline_key": crypto.random_octets(16).hex(),
                "unlock_command": crypto.random_octets(20).hex(), "environment": "production"}

    def session(self) -> str:
        return crypto.random_octets(20).hex()

    def locked(self, space: dict, pairs: int) -> dict:
        """Another lock with so many pairs, if the vault can do that now; the one before goes."""
        self.admin.ask("noke.delete", {**space, "mac": self.lock})
        self.lock = crypto.random_octets(6).hex()
        for _ in range(pairs):
            self.admin.ask("noke.store", {**space, "mac": self.lock, **self.pair()})
        return {**space, "mac": self.lock}

    def unlocked(self, space: dict) -> dict:
        """A session that had a packet."""
        parameters = {**self.locked(space, 1), "session": self.session()}
        self.admin.ask("noke.unlock", parameters)
        return parameters

    def promoted(self, space: dict) -> dict:
        """A lock with a former pair."""
        parameters = self.locked(space, 2)
        self.admin.ask("noke.promote", parameters)
        return parameters

    def without_state(self, space: dict) -> dict:
        """To open what is not there: what is there may be another app's."""
        self.admin.ask("biqli.reset", space)
        return {**space, **BIQLI_STATE}

    def pending(self, space: dict) -> dict:
        """An event that is not settled, if the vault can do that now."""
        self.admin.ask("biqli.open", {**space, **BIQLI_STATE})
        begun = self.admin.ask("biqli.begin", {**space, **BIQLI_REQUEST})
        return {**space, "event_id": begun.get("result", {}).get("event_id", "open_" + "0" * 32)}

    # --- calls with one canary each ---------------------------------------------------------

    def corpus(self, caller: Optional[Caller], where: str,
               only_fitting: bool = False) -> Iterator[Tuple[str, dict]]:
        """Every form of a canary in every field of every method, and beside them."""
        for method, places in self.schema.methods.items():
            for place in places:
                for form in forms(Prefixed(self.canaries, where), method, place):
                    if only_fitting and not (form.fits or form.name in ("text", "foreign")):
                        continue
                    self.fields.add(f"{method} {place.name}")
                    yield method, self.placed(method, place, form, caller)
            if method != "seal":
                name = self.canaries.text(f"{where}{method}: unknown name", "echo")
                value = self.canaries.text(f"{where}{method}: unknown value")
                yield method, {**self.parameters(method, caller), name: value}
            yield method, [self.canaries.text(f"{where}{method}: listed")]

    def placed(self, method: str, place: Place, form: Form, caller: Optional[Caller]) -> dict:
        parameters = put(self.parameters(method, caller), place.path, form.value)
        for pair in ALTERNATIVES:
            if place.path[0] in pair and pair <= {p.path[0] for p in self.schema.methods[method]}:
                for other in pair - {place.path[0]}:
                    parameters.pop(other, None)
        return parameters
