"""Calls for Biqli with secrets that are told, for a look at what they leave in memory."""

import json
import secrets

from vault_client import base64_text

STATE = {"app_id": "biq_mapp_0123456789ABCDEFGHJKMNPQRS", "marker": base64_text(bytes(16))}
FIELDS = {"platform": "ios", "probabilistic_allowed": True, "os_version": "19", "sdk_version": "1.0.0"}


def new_link(octets=24):
    """A link of which each half is random."""
    return f"https://{secrets.token_hex(24)}.example/{secrets.token_hex(octets)}"


def new_token():
    return "bqmh_" + secrets.token_hex(32)[:43]


def answer(receipt):
    return json.dumps({
        "open": {"id": "o", "firstOpen": True, "matchedBy": "none", "confidence": "none"},
        "attributionReceipt": receipt, "requestId": "q"})


class BiqliSecrets:
    """What callers do, on a client that has `call` and `refused`; all secrets in it are in `told`."""

    def __init__(self, client):
        self.client = client
        self.told = {}

    def tell(self, name, text):
        self.told[f"biqli {name}"] = text.encode().hex()
        return text

    def run(self, namespace, mark):
        """A life up to a request that waits, with the like of everything before it; some is refused."""
        space = {"namespace": namespace}
        self.client.call("biqli.open", {**space, **STATE})
        self.refuse(space, mark)
        for number in range(2):
            name = f"{mark}.{number}"
            # The second link is longer than what shares its memory with others.
            link = self.tell(f"link {name}", new_link(24 + 1200 * number))
            token = self.tell(f"token {name}", new_token())
            self.client.call("biqli.capture", {**space, "link": link})
            self.client.call("biqli.capture", {**space, "token": token})
            begun = self.client.call("biqli.begin", {**space, **FIELDS})
            if token not in begun["body"] or link not in begun["body"]:
                raise SystemExit("biqli_secrets: a body without its token or link")
            self.tell(f"body {name}", begun["body"])
            self.client.call("biqli.begin", {**space, **FIELDS})
            for method in ("pending", "window", "cached", "instance"):
                self.client.call(f"biqli.{method}", space)
            if number == 0:
                receipt = self.tell(f"receipt {name}", secrets.token_hex(32))
                settled = self.client.call("biqli.complete", {
                    **space, "event_id": begun["event_id"], "result": answer(receipt)})
                if settled["receipt"] != receipt:
                    raise SystemExit("biqli_secrets: another receipt")

    def refuse(self, space, mark):
        """What is refused was there as well."""
        link = self.tell(f"refused link {mark}", new_link() + "/ ")
        token = self.tell(f"refused token {mark}", new_token()[:-1] + "+")
        receipt = self.tell(f"refused receipt {mark}", secrets.token_hex(32))
        self.client.refused("invalid_params", "biqli.capture", {**space, "link": link})
        self.client.refused("invalid_params", "biqli.capture", {**space, "token": token})
        self.client.refused("invalid_params", "biqli.capture", {**space, "link": link, "token": token})
        for wrong in (answer(receipt)[:-1], answer({"a": receipt}), answer(receipt).replace("true", "1")):
            self.client.refused("invalid_params", "biqli.complete", {
                **space, "event_id": "open_" + "0" * 32, "result": wrong})
