#!/usr/bin/env python3
"""Lives of installations over the socket, compared step by step with `biqli_model.py`.

`run` opens some installations, each on a connection of its own, and goes on until the vault is gone,
or for `--steps` steps each. What the model knows is kept in `--state FILE`, with the call of each life
that was not answered: the next `run` finds out whether that was carried out, which must be as a whole
or not at all, and goes on from there. `together` lets many ask for one request at the same moment.
`scan` looks for the receipts of all answers, which may be in no file below `--data DIR`; `run` does so too.
"""

import argparse
import copy
import json
import random
import secrets
import sys
import threading
import time
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from biqli_model import Installation  # noqa: E402
from vault_client import VaultClient, VaultError, WireError, base64_text  # noqa: E402

APP = "biq_mapp_0123456789ABCDEFGHJKMNPQRS"
RECEIPT = "receipt-canary-"     # every receipt begins with it
LIVES = 4
OUTPUT = threading.Lock()
LINKS = ["https://links.example/a", "HTTPS://Links.example:443/b?x=[1]#f", "https://other.example/%20"]
TOKENS = ["bqmh_" + letter * 43 for letter in "ab_"]
FIELDS = {"platform": "ios", "probabilistic_allowed": True, "os_version": "19", "sdk_version": "1.0.0"}


class Wrong(Exception):
    """The vault and the model do not agree."""


def digits(identifier):
    return identifier.split("_")[1]


def seconds(text):
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def response():
    """A response body, most of them good ones, and with a receipt."""
    matched = random.choice(["none", "none", "exact_app_link", "exact_handoff", "probabilistic"])
    body = {"open": {"id": "o", "firstOpen": True, "matchedBy": matched, "confidence": "none"},
            "click": {"id": "c", "attributionReceipt": RECEIPT + secrets.token_hex(8)},
            "attribution": {"metadata": [1, {"attributionReceipt": RECEIPT + "inner"}], "dynamic": {}},
            "attributionReceipt": RECEIPT + secrets.token_hex(16), "requestId": "q"}
    if random.random() < 0.1:
        del body["open"]["firstOpen"]
    return json.dumps(body, separators=(",", ":"))


class Life:
    """One installation: what the model knows, and the call that is under way."""

    def __init__(self, name, saved=None):
        self.name = name
        self.model = Installation()
        self.marker, self.flight = "01" * 16, None
        if saved:
            self.model.state, self.marker, self.flight = (
                saved["state"], saved["marker"], saved["flight"])
        self.settled = saved["settled"] if saved else []

    def saved(self):
        return {"state": self.model.state, "marker": self.marker, "flight": self.flight,
                "settled": self.settled}

    def ask(self, vault, method, **params):
        """A call that is remembered until it is answered."""
        self.flight = {"method": method, "params": params}
        try:
            result = vault.call(f"biqli.{method}", {"namespace": self.name, **params})
        except VaultError:
            self.flight = None
            raise
        self.flight = None
        return result

    def expect(self, found, expected, what):
        if found != expected:
            raise Wrong(f"{self.name}: {what}: the vault says {found!r}, the model {expected!r}")

    # --- one step ---------------------------------------------------------------------------

    def open(self, vault, marker):
        self.marker = marker
        params = {"app_id": APP, "marker": base64_text(bytes.fromhex(marker))}
        found = self.ask(vault, "open", **params)["opening"]
        self.expect(found, self.model.open({"marker": marker, "app": APP}), "open")

    def begin(self, vault, allowed=True):
        answer = self.ask(vault, "begin", **{**FIELDS, "probabilistic_allowed": allowed})
        self.take_begun(answer, allowed)
        return answer

    def take_begun(self, answer, allowed=True):
        """Lets the model make the same request, with what was random in it."""
        body = json.loads(answer["body"])
        step = {"now": seconds(body["occurredAt"]), "platform": "ios", "allowed": allowed,
                "osVersion": "19", "sdkVersion": "1.0.0", "eventRandom": digits(answer["event_id"]),
                "requestRandom": digits(answer["request_id"]),
                "instanceRandom": digits(body["appInstanceId"])}
        self.expect(f'{answer["beginning"]} {answer["body"]}', self.model.begin(step), "begin")
        self.expect((answer["event_id"], answer["attempts"]),
                    (self.model.state["event"], self.model.state["attempts"]), "event")

    def complete(self, vault, event):
        result = response()
        step = {"event": event, "result": result}
        expected = copy.deepcopy(self.model).complete(step)
        try:
            answer = self.ask(vault, "complete", event_id=event, result=result)
        except VaultError as error:
            self.expect((error.code, error.field, expected),
                        ("invalid_params", "result.open.firstOpen", "refused"), "refusal")
            return
        receipt = f' {answer["receipt"]}' if "receipt" in answer else ""
        self.expect(answer["outcome"] + receipt, self.model.complete(step), "complete")

    def fail(self, vault, event):
        status = random.choice([None, 302, 404, 408, 429, 500])
        code = random.choice([None, "resource_not_found", "handoff_mismatch"])
        params = {"event_id": event}
        params |= {"status": status} if status else {}
        params |= {"code": code} if code else {}
        found = self.ask(vault, "fail", **params)["outcome"]
        self.expect(found, self.model.fail({"event": event, "status": status, "code": code}), "fail")

    def capture(self, vault, **given):
        self.ask(vault, "capture", **given)
        self.model.state |= given

    def window(self, vault):
        answer = self.ask(vault, "window")
        now = time.time()
        if "until" in answer and "start" not in self.model.state:
            now = seconds(answer["until"]) - Installation.DAY
        found = f'open {seconds(answer["until"])}' if answer["open"] else "closed"
        self.expect(found, self.model.window({"now": int(now)}), "window")

    def step(self, vault):
        state = self.model.state
        pending = state.get("event")
        if pending and pending not in self.settled:
            self.settled = (self.settled + [pending])[-20:]
        event = pending if pending and random.random() < 0.8 else random.choice(
            self.settled or ["open_" + "0" * 32])
        act = random.choice(["begin"] * 5 + ["complete"] * 3 + ["fail", "fail", "link", "token",
                            "instance", "cached", "window", "pending", "drop", "open", "reset"])
        if act == "begin":
            answer = self.begin(vault, random.random() < 0.9)
            tell("begun", self.name, answer["event_id"], answer["beginning"])
        elif act == "complete":
            self.complete(vault, event)
        elif act == "fail":
            self.fail(vault, event)
        elif act == "link":
            self.capture(vault, link=random.choice(LINKS))
        elif act == "token":
            self.capture(vault, token=random.choice(TOKENS))
        elif act == "instance":
            found = self.ask(vault, "instance")["instance_id"]
            self.expect(found, self.model.instance({"instanceRandom": digits(found)}), "instance")
        elif act == "cached":
            found = self.ask(vault, "cached").get("result", "nothing")
            # Whether the window has begun is told by `window` alone, so that both begin then.
            if "start" in state or state.get("completed"):
                self.expect(found, self.model.cached({"now": int(time.time())}), "cached")
            else:
                self.expect(found, "nothing", "cached")
                self.window(vault)
        elif act == "window":
            self.window(vault)
        elif act == "pending":
            answer = self.ask(vault, "pending")
            self.expect((answer.get("event_id"), answer.get("attempts")),
                        (state.get("event"), state.get("attempts")), "pending")
        elif act == "drop" and random.random() < 0.5:
            answer = self.ask(vault, "drop", event_id=event)
            self.expect("dropped" if answer["dropped"] else "stale",
                        self.model.drop({"event": event}), "drop")
        elif act == "open":
            self.open(vault, random.choice([self.marker] * 5 + [secrets.token_hex(16)]))
        elif act == "reset" and random.random() < 0.2:
            self.expect(self.ask(vault, "reset")["reset"], True, "reset")
            self.model.reset({})
            self.open(vault, self.marker)

    # --- after the end ----------------------------------------------------------------------

    def recover(self, vault):
        """Whether the call under way was carried out; whatever it was, not by half."""
        flight, self.flight = self.flight, None
        if self.model.state is None and flight is None:
            return self.open(vault, self.marker)
        if flight is None:
            return None
        method, params = flight["method"], flight["params"]
        if method in ("open", "reset"):
            vault.call("biqli.reset", {"namespace": self.name})
            self.model.reset({})
            return self.open(vault, self.marker)
        before = self.model.state
        found = vault.call("biqli.pending", {"namespace": self.name})
        event, attempts = found.get("event_id"), found.get("attempts")
        if method == "begin" and event != before.get("event"):
            self.recover_begun(vault, params["probabilistic_allowed"])
        elif method == "begin" and attempts != before.get("attempts"):
            self.expect(attempts, before["attempts"] + 1, "attempts")
            before["attempts"] += 1
        elif method in ("complete", "fail", "drop"):
            self.recover_settled(vault, method, params, event)
        elif method == "capture":
            self.capture(vault, **params)
        elif method in ("instance", "cached", "window"):
            self.recover_asked(vault)
        return None

    def recover_begun(self, vault, allowed):
        """The request was stored and nobody was told: whoever asks now is."""
        answer = vault.call("biqli.begin", {
            "namespace": self.name, **FIELDS, "probabilistic_allowed": allowed})
        self.expect((answer["beginning"], answer["attempts"]), ("resumed", 2), "begin not answered")
        how = "replaced" if "event" in self.model.state else "new"
        if how == "replaced":
            state = self.model.state
            is_new = any(name in state and state[name] != state.get("sent_" + name)
                         for name in ("link", "token"))
            how = how if is_new else "consent_withdrawn"
        self.take_begun({**answer, "beginning": how, "attempts": 1}, allowed)
        self.take_begun(answer, allowed)

    def recover_settled(self, vault, method, params, event):
        step = {"event": params["event_id"], "result": params.get("result"),
                "status": params.get("status"), "code": params.get("code")}
        after = copy.deepcopy(self.model)
        getattr(after, method)(step)
        if event == after.state.get("event") != self.model.state.get("event"):
            self.model = after
        else:
            self.expect(event, self.model.state.get("event"), f"{method} not answered")

    def recover_asked(self, vault):
        found = vault.call("biqli.instance", {"namespace": self.name})["instance_id"]
        self.expect(found, self.model.instance({"instanceRandom": digits(found)}), "instance")
        self.window(vault)


def tell(*words):
    with OUTPUT:
        print(*words, flush=True)


def live(life, path, steps, problems):
    try:
        with VaultClient(path) as vault:
            vault.call("namespace.create", {"namespace": life.name})
            life.recover(vault)
            if life.model.state is None:
                life.open(vault, life.marker)
            number = 0
            while steps is None or number < steps:
                number += 1
                life.step(vault)
    except WireError:
        if steps is not None:
            problems.append(f"{life.name}: the vault is gone")
    except (Wrong, VaultError) as error:
        problems.append(f"{life.name}: {error}")


def receipts_in(directory):
    """The files that have the beginning of a receipt in them, as it is or in base64."""
    needles = [RECEIPT.encode()] + [
        base64_text(bytes(shift) + RECEIPT.encode()).encode()[4 if shift else 0:16]
        for shift in range(3)]
    found = []
    for file in sorted(Path(directory).rglob("*")):
        if file.is_file():
            octets = file.read_bytes()
            found += [str(file)] if any(needle in octets for needle in needles) else []
    return found


def run(arguments):
    state = Path(arguments.state)
    saved = json.loads(state.read_text()) if state.exists() else {}
    names = [f"biqli/app/{number}" for number in range(LIVES)]
    lives = [Life(name, saved.get(name)) for name in names]
    problems = []
    threads = [threading.Thread(
        target=live, args=(life, arguments.client_socket, arguments.steps, problems)) for life in lives]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        problems += [f"a receipt is in {file}" for file in receipts_in(arguments.data)]
        threads[0].join(0.2)
    for thread in threads:
        thread.join()
    state.write_text(json.dumps({life.name: life.saved() for life in lives}))
    return problems


def together(arguments):
    """Many at the same moment: one new request, and everybody has it."""
    name, problems = "biqli/together", []
    with VaultClient(arguments.client_socket) as vault:
        vault.call("namespace.create", {"namespace": name})
        vault.call("biqli.open", {"namespace": name, "app_id": APP, "marker": base64_text(bytes(16))})
        for _ in range(20):
            gate, answers = threading.Barrier(12), []

            def ask():
                with VaultClient(arguments.client_socket) as own:
                    gate.wait()
                    answers.append(own.call("biqli.begin", {"namespace": name, **FIELDS}))

            threads = [threading.Thread(target=ask) for _ in range(12)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            hows = sorted(answer["beginning"] for answer in answers)
            same = {(answer["event_id"], answer["request_id"], answer["body"]) for answer in answers}
            if hows != ["new"] + ["resumed"] * 11 or len(same) != 1:
                problems.append(f"together: {hows}, {len(same)} requests")
            event = answers[0]["event_id"]
            settled = vault.call("biqli.fail", {"namespace": name, "event_id": event, "status": 400})
            if settled["outcome"] != "dropped":
                problems.append(f"together: {settled}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("act", choices=["run", "together", "scan"])
    parser.add_argument("--client-socket")
    parser.add_argument("--admin-socket")
    parser.add_argument("--state")
    parser.add_argument("--data")
    parser.add_argument("--steps", type=int)
    arguments = parser.parse_args()
    if arguments.act == "scan":
        problems = [f"a receipt is in {file}" for file in receipts_in(arguments.data)]
    else:
        problems = {"run": run, "together": together}[arguments.act](arguments)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
