"""Decides by policies, from the description of their language alone (latchkey-policy(5)).

Reads one JSON object from standard input:
  {"methods": [...], "users": {name: uid}, "groups": {name: gid}, "namespaces": [...],
   "cases": [{"text": ..., "questions": [{"uid", "gid", "groups", "unit", "method", "kind", "name"}]}]}
and writes a list with one object for each case:
  {"fault": line}  or
  {"unresolved": ["line subject"], "administrator": bool,
   "answers": [{"admitted", "reason", "rules": [index], "lacks": [[...]], "names": [...]}]}
where `rules` are those that allow the call, `lacks` what each rule lacks for it, and `names` which of
the namespaces a list by this method would show.

Works with regular expressions on whole lines, and expands patterns to expressions; shares no code
and no structure with the vault.
"""

import json
import re
import sys

PRESETS = {
    "gateway": "status presentation.* noke.info noke.unlock noke.report flinkey.token "
               "flinkey.box_id",
    "console": "status namespace.create namespace.get namespace.list key.public key.list "
               "pass.store pass.info pass.delete noke.store noke.info noke.promote noke.demote "
               "noke.delete biqli.* flinkey.store flinkey.token flinkey.block flinkey.unblock "
               "flinkey.forget flinkey.box_id",
    "admin": "*",
    "backup": "status audit.checkpoint",
    "auditor": "status slot.list policy.get policy.explain audit.tail audit.export "
               "audit.checkpoint",
    "monitor": "status vault.metrics",
    "renewer": "status flinkey.renew.begin flinkey.renew.complete flinkey.box_id",
}

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff0-\uffff\U000e0000-\U0010ffff]")
ACCOUNT = r"(?!-)[A-Za-z0-9_.-]{1,64}"
SUBJECT = re.compile(rf"(?P<kind>user|group):(?P<account>{ACCOUNT})"
                     r"|unit:(?P<unit>(?=.{1,255}$)(?!@)[A-Za-z0-9:_.\\@-]+(?<!@)\.service)",
                     re.ASCII)
METHOD = re.compile(r"(?=.{1,64}(\.\*)?$)[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?", re.ASCII)
SEGMENT = r"[a-z0-9][a-z0-9._-]{0,62}"
NAME = re.compile(rf"{SEGMENT}(/{SEGMENT})*", re.ASCII)
COUNT = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)


class Fault(Exception):
    pass


def is_name(text):
    return NAME.fullmatch(text) is not None and len(text) <= 128 and text.count("/") <= 7


def namespace_expression(word):
    """The pattern as a regular expression over names."""
    if word == "**":
        return re.compile(".*")
    for ending, tail in (("/**", "/.+"), ("/*", "/[^/]+")):
        if word.endswith(ending):
            parent = word[:-len(ending)]
            if not is_name(parent) or not is_name(parent + "/a"):
                raise Fault
            return re.compile(re.escape(parent) + tail)
    if not is_name(word):
        raise Fault
    return re.compile(re.escape(word))


def method_expression(word):
    # The methods that are had by name only.
    others = "" if word == "flinkey.renew.*" else r"(?!flinkey\.renew\.)"
    if word == "*":
        return re.compile(others + ".*")
    if word in PRESETS:
        parts = (method_expression(part).pattern for part in PRESETS[word].split())
        return re.compile("|".join(f"(?:{part})" for part in parts))
    if word.endswith(".*"):
        return re.compile(others + re.escape(word[:-1]) + ".+")
    return re.compile(re.escape(word))


def checked_method(word, methods):
    if word == "*" or word in PRESETS:
        return
    if not METHOD.fullmatch(word):
        raise Fault
    if methods is not None and not any(method_expression(word).fullmatch(one) for one in methods):
        raise Fault


def checked_subject(word):
    found = SUBJECT.fullmatch(word)
    if not found:
        raise Fault
    account = found["account"]
    if account and account.isdigit():
        if str(int(account)) != account or int(account) > 2**32 - 2:
            raise Fault


def checked_rate(words):
    if len(words) not in (1, 3) or len(words) == 3 and words[1] != "burst":
        raise Fault
    for word in words[::2]:
        if not COUNT.fullmatch(word) or int(word) > 1_000_000:
            raise Fault


def read(text, methods):
    """The rules, as dictionaries; raises Fault with the line."""
    if len(text.encode()) > 65536:
        raise Fault(1)
    rules = []
    open_rule = None
    version = False

    def finish():
        if open_rule is not None and not (open_rule["methods"] and open_rule["namespaces"]):
            raise Fault(open_rule["line"])

    for number, line in enumerate(text.split("\n"), 1):
        try:
            if HIDDEN.search(line):
                raise Fault
            content = re.sub(r"(^|(?<=[ \t]))#.*", "", line)
            if not content.isascii():
                raise Fault
            words = re.findall(r"[^ \t]+", content)
            if not words:
                continue
            if not version:
                if words != ["policy", "1"]:
                    raise Fault
                version = True
                continue
            keyword, rest = words[0], words[1:]
            if keyword == "allow":
                # A rule that lacks something is at fault where it begins.
                finish()
                open_rule = {"line": number, "subjects": rest, "methods": [], "namespaces": [],
                             "rate": None, "namespace-rate": None}
                if not rest or len(set(rest)) != len(rest):
                    raise Fault
                for word in rest:
                    checked_subject(word)
                rules.append(open_rule)
            elif keyword in ("methods", "namespaces", "rate", "namespace-rate"):
                if open_rule is None or not rest:
                    raise Fault
                if keyword.endswith("rate"):
                    if open_rule[keyword]:
                        raise Fault
                    checked_rate(rest)
                    open_rule[keyword] = rest
                    continue
                for word in rest:
                    if keyword == "methods":
                        checked_method(word, methods)
                    else:
                        namespace_expression(word)
                    if word in open_rule[keyword]:
                        raise Fault
                    open_rule[keyword].append(word)
            else:
                raise Fault
        except Fault as fault:
            raise Fault(fault.args[0] if fault.args else number) from None
    if not version:
        raise Fault(1)
    finish()
    return rules


class World:
    def __init__(self, users, groups):
        self.accounts = {"user": users, "group": groups}

    def number(self, subject):
        kind, account = subject.split(":", 1)
        return int(account) if account.isdigit() else self.accounts[kind].get(account)

    def names_caller(self, rule, caller):
        mine = {f"user:{caller['uid']}"}
        mine |= {f"group:{gid}" for gid in [caller["gid"], *caller["groups"]]}
        if "unit" in caller:
            mine.add(f"unit:{caller['unit']}")
        for subject in rule["subjects"]:
            kind = subject.split(":", 1)[0]
            meant = subject if kind == "unit" else f"{kind}:{self.number(subject)}"
            if meant in mine:
                return True
        return False


def has_method(rule, method):
    return any(method_expression(word).fullmatch(method) for word in rule["methods"])


def covers(rule, kind, name):
    def match(text):
        return any(namespace_expression(word).fullmatch(text) for word in rule["namespaces"])

    if kind == "filtered":
        return True
    if kind == "vault":
        return "**" in rule["namespaces"]
    if kind == "namespace":
        return match(name)
    # All of a subtree: the name, and whatever stands below it at any depth, by one pattern.
    below = [name + "/x", name + "/x/y", name + "/q/r/s"]
    whole = any(all(namespace_expression(word).fullmatch(one) for one in below)
                for word in rule["namespaces"])
    return match(name) and whole


def answer(rules, world, question, namespaces):
    named = [rule for rule in rules if world.names_caller(rule, question)]
    granted = [rule for rule in named if has_method(rule, question["method"])]
    kind, name = question["kind"], question.get("name")
    allowing = [rule for rule in granted if covers(rule, kind, name)]
    reason = None
    if not named:
        reason = "no_rule"
    elif not granted:
        reason = "method_not_granted"
    elif not allowing:
        reason = "namespace_not_granted"
    lacks = []
    for rule in rules:
        parts = []
        if rule not in named:
            parts.append("subject")
        if not has_method(rule, question["method"]):
            parts.append("method")
        if not covers(rule, kind, name):
            parts.append("namespace")
        lacks.append(parts)
    return {
        "admitted": bool(named), "reason": reason,
        "rules": [rule["index"] for rule in allowing], "lacks": lacks,
        "names": [one for one in namespaces
                  if any(covers(rule, "namespace", one) for rule in granted)],
    }


def main():
    task = json.load(sys.stdin)
    world = World(task["users"], task["groups"])
    output = []
    for case in task["cases"]:
        try:
            rules = read(case["text"], task["methods"])
        except Fault as fault:
            output.append({"fault": fault.args[0]})
            continue
        for index, rule in enumerate(rules):
            rule["index"] = index
        unresolved = [
            f"{rule['line']} {subject}" for rule in rules for subject in rule["subjects"]
            if not subject.startswith("unit:") and world.number(subject) is None]
        administrator = any(
            has_method(rule, "policy.set") and "**" in rule["namespaces"]
            and any(not subject.startswith("unit:") and world.number(subject) is not None
                    for subject in rule["subjects"])
            for rule in rules)
        output.append({
            "unresolved": unresolved, "administrator": administrator,
            "answers": [answer(rules, world, one, task["namespaces"]) for one in case["questions"]],
        })
    json.dump(output, sys.stdout)


if __name__ == "__main__":
    main()
