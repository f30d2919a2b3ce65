#!/usr/bin/env python3
"""Nokē locks that undo what the vault answers, and gateways that carry packets between the two.

`vectors` asks for a packet of each published vector. `run` gives locks new pairs again and again, opens
them with each pair that the vault has, and reports what they answer, until the vault is gone or for
`--steps` steps. What the locks know is kept in `--state FILE`, with the call that was not answered: the
next `run` goes on from there. At every moment each lock must have a pair that opens it, and a request
that was answered must get the same packet again.
"""

import argparse
import json
import random
import secrets
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from noke_oracle import Lock  # noqa: E402
from vault_client import VaultClient, VaultError, WireError  # noqa: E402

VECTORS = Path(__file__).resolve().parents[1] / "Vectors" / "noke-vectors.json"
NAMESPACE = "noke/locks"
SUCCESS = "51600100" + "0" * 32
LOCKS = 6
OPENINGS = 8            # of one lock: more would be too many at once


class Wrong(Exception):
    """The vault did what it must not."""


def require(holds, what):
    if not holds:
        raise Wrong(what)


def opens(pair, session, answer):
    """Whether a lock with this pair opens for an answer of `noke.unlock`."""
    lock = Lock(bytes.fromhex(pair["offline_key"]), bytes.fromhex(pair["unlock_command"]))
    lock.connect(bytes.fromhex(session))
    is_open, time = lock.opens(bytes.fromhex(answer["packet"]), answer["embedded"])
    return is_open and (not answer["embedded"] or time == answer["unix_time"] % 2**32)


class Door:
    """A lock, the pairs that were issued for it, and what its gateway knows of the vault."""

    def __init__(self, state=None):
        self.state = state or {
            "mac": secrets.token_hex(6), "pairs": {}, "issued": None, "asked": {}, "openings": 0}
        self.state["openings"] = 0

    @property
    def about(self):
        return {"namespace": NAMESPACE, "mac": self.state["mac"]}

    def issue(self, vault):
        """The service issues a pair, which the lock takes from then on, and the console stores it."""
        if self.state["issued"] is None:
            self.state["issued"] = {"offline_key": secrets.token_hex(16),
                                    "unlock_command": secrets.token_hex(20),
                                    "environment": "production"}
        stored = vault.call("noke.store", {**self.about, **self.state["issued"]})
        self.state["pairs"][str(stored["generation"])] = self.state["issued"]
        self.state["issued"] = None

    def held(self, vault):
        """What the vault has of the lock; a pair whose storing was not answered is found here."""
        pairs = vault.call("noke.info", self.about)["lock"]["pairs"]
        for pair in pairs:
            if str(pair["generation"]) not in self.state["pairs"]:
                require(self.state["issued"], f"generation {pair['generation']} came from nowhere")
                self.state["pairs"][str(pair["generation"])] = self.state["issued"]
                self.state["issued"] = None
        require([pair["state"] for pair in pairs].count("active") == 1, f"active: {pairs}")
        return pairs

    def open(self, vault, state=None):
        """A gateway opens the door and reports it."""
        self.state["openings"] += 1
        session = secrets.token_hex(20)
        asked = {**self.about, "session": session, "embed_time": random.random() < 0.5,
                 "request_id": secrets.token_hex(4), **({"generation": state} if state else {})}
        self.state["asked"][session] = [asked, None, None]
        answer = vault.call("noke.unlock", asked)
        pair = self.state["pairs"][str(answer["generation"])]
        require(opens(pair, session, answer), f"{asked}: {answer} does not open")
        self.state["asked"][session] = [asked, answer["packet"], answer["generation"]]
        if random.random() < 0.8:
            vault.call("noke.report", {**self.about, "session": session, "response": SUCCESS})

    def repeat(self, vault):
        """Each request once more: it gets what it got, or its packet if it was not answered."""
        held = [None, *(pair["generation"] for pair in self.held(vault))]
        for session, (asked, packet, generation) in list(self.state["asked"].items())[-4:]:
            if generation not in held:
                refused(vault, "noke.unlock", asked, "key_unusable", "session")
                continue
            answer = vault.call("noke.unlock", asked)
            require(packet in (None, answer["packet"]), f"{asked}: another packet")
            require(answer["repeated"] or packet is None, f"{asked}: made once more")
            pair = self.state["pairs"][str(answer["generation"])]
            require(opens(pair, session, answer), f"{asked}: {answer} does not open")
            self.state["asked"][session] = [asked, answer["packet"], answer["generation"]]
            other = {key: value for key, value in asked.items() if key != "request_id"}
            refused(vault, "noke.unlock", other, "conflict", "session")

    def step(self, vault):
        held = {pair["state"] for pair in self.held(vault)}
        act = random.choice(["issue", "open", "open", "repeat", "promote", "demote"])
        if act == "issue":
            if len(self.state["pairs"]) < 8:
                self.issue(vault)
        elif act == "open":
            self.open(vault, random.choice([None, *sorted(held)]))
        elif act == "repeat":
            self.repeat(vault)
        elif act == "promote" and "pending" in held:
            vault.call("noke.promote", self.about)
        elif act == "demote" and "former" in held:
            vault.call("noke.demote", self.about)


def refused(vault, method, params, code, field):
    try:
        answer = vault.call(method, params)
    except VaultError as error:
        require((error.code, error.field) == (code, field),
                f"{method}: {error.code}, {error.field} instead of {code}, {field}")
    else:
        raise Wrong(f"{method} {params}: {answer}")


def run(arguments):
    file = Path(arguments.state)
    doors = [Door(state) for state in json.loads(file.read_text())] if file.exists() else []
    steps = 0
    try:
        with VaultClient(arguments.admin_socket) as vault:
            vault.call("namespace.create", {"namespace": NAMESPACE})
            for door in doors:
                # Whatever was under way, the door opens.
                door.held(vault)
                door.open(vault)
            while arguments.steps is None or steps < arguments.steps:
                steps += 1
                print(f"step {steps}", flush=True)
                if len(doors) < LOCKS:
                    doors.append(Door())
                    doors[-1].issue(vault)
                door = random.choice(doors)
                door.step(vault)
                if door.state["openings"] >= OPENINGS:
                    doors.remove(door)
                    vault.call("noke.delete", door.about)
                    refused(vault, "noke.info", door.about, "not_found", "mac")
    except WireError as error:
        if arguments.steps is not None:
            return [f"the vault is gone: {error}"]
        # A lock whose first pair was never stored has nothing to go on from.
        doors = [door for door in doors if door.state["pairs"]]
    except (Wrong, VaultError) as error:
        return [str(error)]
    file.write_text(json.dumps([door.state for door in doors]))
    return []


def vectors(arguments):
    table = json.loads(VECTORS.read_text())
    with VaultClient(arguments.admin_socket) as vault:
        vault.call("namespace.create", {"namespace": NAMESPACE})
        for number, vector in enumerate(table["vectors"]):
            lock = {"namespace": NAMESPACE, "mac": f"{number:012x}"}
            pair = {"offline_key": vector["offlineKey"], "unlock_command": vector["unlockCommand"],
                    "environment": "sandbox"}
            vault.call("noke.store", {**lock, **pair})
            answer = vault.call("noke.unlock", {
                **lock, "session": vector["session"], "embed_time": vector["embedTimestamp"]})
            require(answer["battery_mv"] == vector["batteryMillivolts"], f"{vector}: {answer}")
            # The time is the vault's own: a packet with it is for the lock to judge.
            if not vector["embedTimestamp"]:
                require(answer["packet"] == vector["packet"], f"{vector}: {answer}")
            require(opens(pair, vector["session"], answer), f"{vector}: {answer}")
        names = {"offlineKey": "offline_key", "unlockCommand": "unlock_command"}
        for wrong in table["invalidInputs"]:
            field = names.get(wrong["field"], wrong["field"])
            method = "noke.unlock" if field == "session" else "noke.store"
            params = {**lock, **(pair if method == "noke.store" else {}), field: wrong["value"]}
            refused(vault, method, params, "invalid_params", field)
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("act", choices=["run", "vectors"])
    parser.add_argument("--client-socket")
    parser.add_argument("--admin-socket")
    parser.add_argument("--state")
    parser.add_argument("--steps", type=int)
    arguments = parser.parse_args()
    try:
        problems = {"run": run, "vectors": vectors}[arguments.act](arguments)
    except Wrong as error:
        problems = [str(error)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
