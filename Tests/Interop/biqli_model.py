"""What the Biqli notes say about texts, answers and the state of an installation, as a model.

Reads one JSON object from standard input:
  {"texts": [text], "answers": [text], "histories": [[step]]}
and writes
  {"texts": [[kind]], "answers": [{"result", "receipt", "match"} or null],
   "histories": [[{"outcome", "state"}]]}
where `texts` tells as what each text would be taken. A step is an object with "op" and what it needs;
a state is an object without what is not there. Texts are judged by regular expressions, answers by
Python's own JSON; shares no code and no structure with the vault.
"""

import hashlib
import json
import re
import sys
import uuid
from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
HOST = re.compile(rf"{LABEL}(\.{LABEL})+", re.ASCII)
PATTERNS = {
    "app": r"biq_mapp_[0-9A-HJKMNP-TV-Z]{26}",
    "key": r"biqli_mobile_pk_[A-Za-z0-9_-]{64}",
    "token": r"bqmh_[A-Za-z0-9_-]{43}",
    "instance": r"install_[0-9A-Fa-f]{32}",
    "event": r"open_[0-9A-Fa-f]{32}",
    "request": r"req_[0-9A-Fa-f]{32}",
}
URL = re.compile(r"https://[!#$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]+", re.ASCII | re.IGNORECASE)
PORT = re.compile(r":([0-9]{1,5})", re.ASCII)


def domain(text):
    """The domain in lower case without outer dots, or nothing."""
    text = re.sub(r"^\.|\.$", "", text)
    return text.lower() if len(text) <= 253 and HOST.fullmatch(text) else None


def link_host(text):
    if len(text.encode()) > 8192 or not URL.fullmatch(text):
        return None
    try:
        authority = urlsplit(text).netloc
    except ValueError:
        # Brackets in a host that is no address.
        return None
    name, colon, port = authority.partition(":")
    if colon:
        found = PORT.fullmatch(colon + port)
        if not found or not 0 < int(found[1]) < 65536:
            return None
    return domain(name)


def kinds(text):
    found = [name for name, pattern in PATTERNS.items() if re.fullmatch(pattern, text, re.ASCII)]
    return found + ["link"] * (link_host(text) is not None) + ["domain"] * (domain(text) is not None)


class NoAnswer(Exception):
    pass


def need(condition):
    if not condition:
        raise NoAnswer


def unique(pairs):
    need(len(dict(pairs)) == len(pairs))
    return dict(pairs)


def stripped(value):
    if isinstance(value, dict):
        return {name: stripped(item) for name, item in value.items() if name != "attributionReceipt"}
    return [stripped(item) for item in value] if isinstance(value, list) else value


def depth(value):
    if isinstance(value, dict):
        value = list(value.values())
    elif not isinstance(value, list):
        return 0
    return 1 + max(map(depth, value), default=0)


def texts_in(value, *names):
    need(isinstance(value, dict))
    for name in names:
        need(isinstance(value.get(name), str))


def answer(text):
    """The compact result without receipts, the receipt, and whether it is a match."""
    need(len(text.encode()) <= 65536)
    try:
        value = json.loads(text, object_pairs_hook=unique)
    except ValueError:
        raise NoAnswer from None
    need(isinstance(value, dict) and depth(value) <= 16)
    receipt = value.get("attributionReceipt")
    need(receipt is None or isinstance(receipt, str))
    value = stripped(value)
    texts_in(value, "requestId")
    opened = value.get("open")
    texts_in(opened, "id", "matchedBy", "confidence")
    need(isinstance(opened.get("firstOpen"), bool))
    need(opened["matchedBy"] in ("exact_app_link", "exact_install_referrer", "exact_handoff",
                                 "probabilistic", "none"))
    need(opened["confidence"] in ("exact", "probabilistic", "none"))
    if value.get("click") is not None:
        texts_in(value["click"], "id")
    if value.get("link") is not None:
        texts_in(value["link"], "id", "shortUrl", "route")
    attribution = value.get("attribution")
    if attribution is not None:
        need(isinstance(attribution, dict))
        need(attribution.get("referralCode") is None or isinstance(attribution["referralCode"], str))
        dynamic = attribution.get("dynamic")
        if dynamic is not None:
            need(isinstance(dynamic, dict))
            texts_in(dynamic, *dynamic)
    compact = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return {"result": compact, "receipt": receipt, "match": opened["matchedBy"] != "none"}


def judged_answer(text):
    try:
        return answer(text)
    except NoAnswer:
        return None


def identifier(prefix, digits):
    return prefix + uuid.UUID(bytes=bytes.fromhex(digits), version=4).hex


def written(seconds):
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class Installation:
    """The table of protected items, and the steps of a resolve, with what the notes call flaws mended."""

    DAY = 24 * 3600

    def __init__(self):
        self.state = None

    def run(self, step):
        outcome = getattr(self, step["op"])(step)
        return {"outcome": outcome, "state": dict(self.state) if self.state is not None else None}

    def open(self, step):
        digest = hashlib.blake2b(b"latchkey biqli marker" + bytes.fromhex(step["marker"]),
                                 digest_size=32).hexdigest()
        fresh = {"app": step["app"], "marker": digest}
        if "key" in step:
            fresh["key"] = step["key"]
        if self.state is None:
            self.state = fresh
            return "created"
        if self.state["app"] != step["app"]:
            return "conflict"
        if self.state["marker"] != digest:
            self.state = fresh
            return "reset"
        if step.get("key", self.state.get("key")) == self.state.get("key"):
            return "unchanged"
        self.state["key"] = step["key"]
        return "key_replaced"

    def reset(self, step):
        self.state = None
        return ""

    def instance(self, step):
        return self.state.setdefault("instance", identifier("install_", step["instanceRandom"]))

    def putLink(self, step):
        self.state["link"] = step["link"]
        return ""

    def putToken(self, step):
        self.state["token"] = step["token"]
        return ""

    def is_first_open(self, now):
        if self.state.get("completed"):
            return False
        self.state["start"] = min(self.state.get("start", now), now)
        if now - self.state["start"] >= self.DAY:
            self.state["completed"] = True
        return not self.state.get("completed")

    def window(self, step):
        if self.is_first_open(step["now"]):
            return f"open {self.state['start'] + self.DAY}"
        return "closed"

    def expire(self, step):
        if "start" in self.state:
            self.is_first_open(step["now"])
        return ""

    def cached(self, step):
        closed = not self.is_first_open(step["now"])
        waiting = {"link", "token", "event"} & self.state.keys()
        return self.state.get("result", "nothing") if closed and not waiting else "nothing"

    def begin(self, step):
        state = self.state
        how = "new"
        if "event" in state:
            new_input = any(name in state and state[name] != state.get("sent_" + name)
                            for name in ("link", "token"))
            if new_input:
                how = "replaced"
            elif state["sent_allowed"] and not step["allowed"]:
                how = "consent_withdrawn"
            elif step["now"] - state["made"] >= 7 * self.DAY:
                how = "expired"
            else:
                state["attempts"] += 1
                state["made"] = min(state["made"], step["now"])
                return "resumed " + state["body"]
            self.forget()
        self.instance(step)
        event = identifier("open_", step["eventRandom"])
        host = link_host(state["link"]) if "link" in state else step.get("domain")
        fields = {"eventId": event, "appId": state["app"], "appInstanceId": state["instance"],
                  "platform": step["platform"], "firstOpen": self.is_first_open(step["now"]),
                  "probabilisticAllowed": step["allowed"], "handoffToken": state.get("token"),
                  "deepLink": state.get("link"), "domain": host,
                  "appVersion": step.get("appVersion"), "osVersion": step["osVersion"],
                  "sdkVersion": step["sdkVersion"], "occurredAt": written(step["now"])}
        fields = {name: value for name, value in fields.items() if value is not None}
        body = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
        state |= {"event": event, "request": identifier("req_", step["requestRandom"]), "body": body,
                  "made": step["now"], "attempts": 1, "sent_allowed": step["allowed"]}
        for name in ("link", "token"):
            if name in state:
                state["sent_" + name] = state[name]
        return f"{how} {body}"

    def forget(self):
        """The pending request, which is then no more."""
        names = ("event", "request", "body", "made", "attempts", "sent_allowed", "sent_link",
                 "sent_token")
        return {name: self.state.pop(name) for name in names if name in self.state}

    def erase(self, sent, name):
        if name in self.state and self.state[name] == sent.get("sent_" + name):
            del self.state[name]

    def complete(self, step):
        try:
            given = answer(step["result"])
        except NoAnswer:
            return "refused"
        if self.state.get("event") != step["event"]:
            return "stale"
        sent = self.forget()
        self.erase(sent, "link")
        receipt = "" if given["receipt"] is None else " " + given["receipt"]
        if not given["match"]:
            self.erase(sent, "token")
            return "unmatched" + receipt
        self.state.pop("token", None)
        self.state |= {"result": given["result"], "completed": True}
        return "matched" + receipt

    def fail(self, step):
        if self.state.get("event") != step["event"]:
            return "stale"
        status = step.get("status")
        if status is None or status >= 500 or status in (408, 425, 429):
            return "kept"
        sent = self.forget()
        if step.get("code") == "resource_not_found":
            self.erase(sent, "token")
        if step.get("code") == "handoff_mismatch":
            self.erase(sent, "link")
        return "dropped"

    def drop(self, step):
        if self.state.get("event") != step["event"]:
            return "stale"
        self.forget()
        return "dropped"


def main():
    task = json.load(sys.stdin)
    histories = []
    for steps in task["histories"]:
        installation = Installation()
        histories.append([installation.run(step) for step in steps])
    json.dump({"texts": [kinds(text) for text in task["texts"]],
               "answers": [judged_answer(text) for text in task["answers"]],
               "histories": histories}, sys.stdout)


if __name__ == "__main__":
    main()
