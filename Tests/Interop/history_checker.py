"""Checks what the clients of a vault wrote down against the vault's audit log.

A revocation is a line in time: nothing computed with a namespace's keys has a later number. So are
suspensions, deletions and rights that were taken away. `check` finds what contradicts that, or
anything else that the answers and the lines promise.
"""

import bisect
import hashlib
import heapq
from collections import Counter, defaultdict
from typing import Dict, Iterator, List, Optional, Tuple

from cryptography.exceptions import InvalidSignature

import policy_oracle
from history_model import (
    JUDGED, METHODS, RESTING, SESSION, Problem, Replay, View)
from history_record import CONNECTION, Attempt, Run
from vault_client import octets_of
from verify_signatures import Bad, verify

# What is refused before the vault looks at it is counted together.
COUNTED = ("forbidden", "sealed", "rate_limited")
# How a call for a revoked namespace may be refused.
AFTER_REVOCATION = {"revoked", "sealed", "forbidden", "rate_limited", "busy"}
# Calls that succeed for a revoked namespace.
OF_THE_DEAD = {"namespace.get", "presentation.close", "presentation.match", "audit.tail"}
# What `vaultctl` calls to get the log.
BESIDES = {"audit.export"}
# Whose lines have the digest of what was asked.
TOLD_BY_DIGEST = {"key.sign", "presentation.sign", "policy.set"}

Endings = List[Tuple[int, int]]


def detail_digest(attempt: Attempt) -> Optional[str]:
    """What the line of a call must have, where the question alone decides it."""
    told = attempt.told
    if attempt.method not in TOLD_BY_DIGEST:
        return None
    if attempt.method == "policy.set":
        content = told["policy"].encode()
    else:
        content = hashlib.sha256(bytes.fromhex(told["message"])).digest()
    return hashlib.blake2b(content, digest_size=32).hexdigest()


def outcome_of(attempt: Attempt) -> tuple:
    """The outcome and the code that the line of an answered call must have."""
    code = attempt.code or attempt.told.get("refusal")
    return ("refused", code) if code else ("ok", None)


class History:
    """`endings` are the times from a signal to the daemon until it served again."""

    def __init__(self, attempts: List[Attempt], runs: List[Run], lines: List[dict],
                 endings: Endings):
        self.attempts, self.runs, self.lines, self.endings = attempts, runs, lines, endings
        self.problems: List[Problem] = []
        self.by_seq: Dict[int, Attempt] = {}    # calls by their lines, answered or not
        self.members: Dict[int, List[dict]] = defaultdict(list)
        self.rules: List[tuple] = []            # the revisions and rules of policies
        self.policies: List[tuple] = []         # the lines that put them in force
        self.decided: Dict[tuple, bool] = {}
        self.replay = Replay()

    def problem(self, rule: str, text: object) -> None:
        self.problems.append(Problem(rule, str(text)))

    def check(self) -> List[Problem]:
        self.check_numbers()
        self.match_answers()
        self.find_bounds()
        self.match_the_rest()
        self.find_bounds()
        self.check_time()
        self.count_refusals()
        self.check_ends()
        for line in self.lines:
            self.replay.step(line, self.by_seq.get(line["seq"]), self.members[line["seq"]])
        self.problems += self.replay.problems
        self.check_policy()
        self.check_signatures()
        for attempt in self.attempts:
            if attempt.answered is not None:
                self.check_read(attempt)
                self.check_refusal(attempt)
        for run in self.runs:
            self.check_run(run)
        return self.problems

    # --- answers and lines ----------------------------------------------------------------------

    def check_numbers(self) -> None:
        for number, line in enumerate(self.lines, 1):
            if line["seq"] != number:
                return self.problem("numbers", f"line {number} has the number {line['seq']}")

    def match_answers(self) -> None:
        """Every answer with a number has just that line."""
        lines = {line["seq"]: line for line in self.lines}
        for attempt in self.attempts:
            if attempt.seq is None:
                continue
            line = lines.get(attempt.seq)
            if line is None:
                self.problem("answered", f"{attempt}: there is no such line")
                continue
            if attempt.seq in self.by_seq:
                self.problem("answered", f"{attempt}: another answer has this number")
            self.by_seq[attempt.seq] = attempt
            expected = (attempt.pid, attempt.uid, attempt.endpoint, attempt.method,
                        attempt.namespace, *outcome_of(attempt))
            found = tuple(line.get(name) for name in (
                "pid", "uid", "endpoint", "method", "namespace", "outcome", "code"))
            digest = detail_digest(attempt)
            version = attempt.told.get("version")
            if found != expected or digest not in (None, line.get("detail_digest")) or (
                    version not in (None, line.get("key_version"))):
                self.problem("answered", f"{attempt}: its line is {line}")

    def match_the_rest(self) -> None:
        """A line without a numbered answer is of an answer that tells none, or of a call whose
        connection died; and each of another one, at a moment when that was under way."""
        for line in self.lines:
            if line["method"] == "namespace.revoke" and "count" in line:
                first = line["seq"] - line["count"]
                self.members[line["seq"]] = self.lines[max(first, 1) - 1:line["seq"] - 1]
        members = {line["seq"] for group in self.members.values() for line in group}
        lines: Dict[tuple, List[dict]] = defaultdict(list)
        calls: Dict[tuple, List[Attempt]] = defaultdict(list)
        for line in self.lines:
            if line["outcome"] == "ok" and "endpoint" in line and (
                    line["method"] not in BESIDES) and (
                    line["seq"] not in self.by_seq and line["seq"] not in members):
                digest = line.get("detail_digest") if line["method"] in TOLD_BY_DIGEST else None
                lines[line["pid"], line["method"], line.get("namespace"), digest].append(line)
        for attempt in self.attempts:
            if attempt.seq is None and (attempt.answered is None or attempt.succeeded):
                calls[attempt.pid, attempt.method, attempt.namespace,
                      detail_digest(attempt)].append(attempt)
        for key in lines.keys() | calls.keys():
            self.match_group(lines[key], calls[key])

    def match_group(self, lines: List[dict], calls: List[Attempt]) -> None:
        """Lines and calls that nothing but time tells apart."""
        fitting = self.fit(lines, calls)
        for line in lines:
            if line["seq"] not in fitting:
                self.problem("unanswered", f"nobody made the call of {line}")
        answered = [attempt for attempt in calls if attempt.answered is not None]
        if not answered:
            self.by_seq |= fitting
            for seq, attempt in fitting.items():
                attempt.seq = seq
        elif answered[0].method in RESTING:
            missing = len(answered) - len(self.fit(lines, answered))
            if missing:
                self.problem("answered", f"{missing} answers have no line, of {len(answered)} "
                                         f"such as {answered[0]}")

    def fit(self, lines: List[dict], calls: List[Attempt]) -> Dict[int, Attempt]:
        """As many calls as can be, each with a line of the time when it was under way."""
        waiting = sorted(calls, key=lambda attempt: self.bounds[id(attempt)][0], reverse=True)
        under_way: List[tuple] = []
        found: Dict[int, Attempt] = {}
        for line in lines:
            while waiting and self.bounds[id(waiting[-1])][0] < line["seq"]:
                attempt = waiting.pop()
                heapq.heappush(under_way, (self.bounds[id(attempt)][1], id(attempt), attempt))
            while under_way and under_way[0][0] < line["seq"]:
                heapq.heappop(under_way)
            if under_way:
                found[line["seq"]] = heapq.heappop(under_way)[2]
        return found

    def count_refusals(self) -> None:
        """No more refusals are recorded than were given, or were under way at an end."""
        left: Counter = Counter()
        spare: Counter = Counter()
        denied: Counter = Counter()
        for attempt in self.attempts:
            if attempt.code:
                left[attempt.pid, attempt.method, attempt.code] += 1
            if attempt.code in COUNTED or (attempt.code or "").startswith(CONNECTION):
                denied[attempt.uid] += 1
            if attempt.answered is None:
                spare[attempt.pid, attempt.method] += 1
                denied[attempt.uid] += 1
        for line in self.lines:
            if line["outcome"] == "ok" or line["seq"] in self.by_seq or (
                    line["method"] == "connection.refused"):
                continue
            if line.get("code") in COUNTED and line.get("reason") != "right_withdrawn":
                denied[line["uid"]] -= 1
            if line["method"] == "calls.refused":
                denied[line["uid"]] -= line["count"]
                continue
            key = (line["pid"], line["method"], line["code"])
            if left[key] > 0:
                left[key] -= 1
            elif spare[key[:2]] > 0:
                spare[key[:2]] -= 1
            else:
                self.problem("refusals", f"nobody was refused so: {line}")
        for uid, missing in denied.items():
            if missing < 0:
                self.problem("refusals", f"user {uid}: {-missing} more are counted than there were")

    def check_ends(self) -> None:
        """A call goes without an answer only when the daemon ends."""
        for attempt in self.attempts:
            if attempt.answered is not None:
                continue
            if not attempt.cut:
                self.problem("silence", f"{attempt}, and its connection lives")
            elif not any(start <= attempt.ended and attempt.since <= end
                         for start, end in self.endings):
                self.problem("silence", f"{attempt}, and the daemon lives")

    # --- time -----------------------------------------------------------------------------------

    def find_bounds(self) -> None:
        """For each call the last line that somebody had heard of when it was asked, and the last
        before those of what was asked when it had ended. What it was about happened in between."""
        events = []
        for index, attempt in enumerate(self.attempts):
            events.append((attempt.sent, 0, index))
            end = attempt.answered or attempt.ended
            if end is not None:
                events.append((end, 1, index))
        events.sort()
        low, high = [0] * len(self.attempts), [len(self.lines)] * len(self.attempts)
        newest, following = 0, len(self.lines) + 1
        for _, is_end, index in events:
            if not is_end:
                low[index] = newest
            elif self.attempts[index].answered is not None:
                newest = max(newest, self.attempts[index].seq or 0)
        for _, is_end, index in reversed(events):
            if is_end:
                high[index] = following - 1
            else:
                following = min(following, self.attempts[index].seq or following)
        self.bounds = {id(attempt): bounds
                       for attempt, bounds in zip(self.attempts, zip(low, high))}

    def check_time(self) -> None:
        """A number is higher than all that were known when its call was made."""
        for attempt in self.attempts:
            low, _ = self.bounds[id(attempt)]
            if attempt.seq is not None and attempt.seq <= low:
                self.problem("time", f"{attempt}: {low} was known before it was asked")

    def views(self, name: str, attempt: Attempt) -> Iterator[Optional[View]]:
        """What a namespace was like when a call was answered; `None` before it was made."""
        return self.during(self.replay.views.get(name, []), *self.bounds[id(attempt)])

    @staticmethod
    def during(changes: List[tuple], low: int, high: int) -> Iterator:
        """What was so at one of the lines from `low` to `high`; a change is the line that made it,
        and what has been so since."""
        first = bisect.bisect_right(changes, low, key=lambda change: change[0])
        yield changes[first - 1][1] if first else None
        for seq, now in changes[first:]:
            if seq > high:
                return
            yield now

    def check_read(self, attempt: Attempt) -> None:
        """A read shows what was there at some moment between question and answer."""
        method, told = attempt.method, attempt.told
        if method == "presentation.match" and attempt.succeeded:
            return self.check_matches(attempt)
        if method not in ("namespace.get", "pass.info"):
            return
        views = list(self.views(attempt.namespace, attempt))
        if method == "namespace.get" and attempt.succeeded:
            fits = any(view and (view.state, view.keys, view.digest is not None) == (
                told["state"], told["keys"], told["pass"]) for view in views)
            known = self.replay.namespaces.get(attempt.namespace)
            fits = fits and known is not None and known.identifier in (None, told["id"])
        elif method == "pass.info" and attempt.succeeded:
            fits = any(view and view.digest == told["digest"] for view in views)
        elif attempt.code == "pass_missing":
            fits = any(view and view.digest is None for view in views)
        elif attempt.code == "not_found":
            fits = None in views
        else:
            return
        if not fits:
            self.problem("read", f"{attempt} {told}, between {self.bounds[id(attempt)]}: {views}")

    def check_matches(self, attempt: Attempt) -> None:
        """Each namespace that was found had a pass, and the caller the right to find it."""
        for name in attempt.told["matches"]:
            views = list(self.views(name, attempt))
            if not any(view and view.state == "active" and view.digest for view in views):
                self.problem("read", f"{attempt} found {name}: {views}")
            rights = set(self.rights_during(attempt, name))
            if True not in rights and None not in rights:
                self.problem("policy", f"{attempt} found {name} without the right")

    def check_refusal(self, attempt: Attempt) -> None:
        """A call is refused for what was so, and a revoked namespace is known as one for ever."""
        name, method = attempt.namespace, attempt.method
        low, high = self.bounds[id(attempt)]
        if attempt.code == "sealed" or (attempt.code or "").startswith(CONNECTION):
            if not any(self.during(self.replay.seals, low, high)):
                self.problem("refusals", f"{attempt}: it was not sealed")
            return
        if name is None or "prefix" in attempt.told:
            return
        if attempt.code == "revoked":
            died = self.replay.revoked.get(name)
            deleted = any(low < seq <= high for seq in self.replay.deletions.get(name, []))
            if (died is None or died > high) and not deleted:
                self.problem("refusals", f"{attempt}: nothing was revoked up to {high}")
        if self.replay.revoked.get(name, len(self.lines) + 1) > low or method in OF_THE_DEAD:
            return
        gone = {"not_found"} if method in SESSION else set()
        if attempt.code not in AFTER_REVOCATION | gone:
            self.problem("revoked", f"{attempt}: line {self.replay.revoked[name]} was known")

    # --- policy ---------------------------------------------------------------------------------

    def check_policy(self) -> None:
        for line in self.lines:
            attempt = self.by_seq.get(line["seq"])
            if line["outcome"] == "ok" and line["method"] in JUDGED:
                self.check_right(line, attempt)
            if line["method"] == "policy.set" and line["outcome"] == "ok" and attempt:
                self.set_policy(line, attempt)
        for attempt in self.attempts:
            if attempt.answered is None or attempt.method not in METHODS:
                continue
            rights = set(self.rights_during(attempt))
            if attempt.code == "forbidden" and False not in rights and None not in rights:
                self.problem("policy", f"{attempt}: the right was never missing")
            if attempt.succeeded and True not in rights and None not in rights:
                self.problem("policy", f"{attempt}: the right was missing")

    def set_policy(self, line: dict, attempt: Attempt) -> None:
        following = self.rules[-1][0] + 1 if self.rules else None
        revision = attempt.told.get("revision") or following
        if revision != (following or revision):
            self.problem("policy", f"revision {revision}, not {following}: {line}")
        self.policies.append((line["seq"], len(self.rules)))
        self.rules.append((revision, policy_oracle.read(attempt.told["policy"], None)))

    def check_right(self, line: dict, attempt: Optional[Attempt]) -> None:
        """By the policy in force, which the last policy.set before the line made."""
        if not self.rules:
            return
        revision = self.rules[-1][0]
        kind = "subtree" if "count" in line else None
        if line.get("policy") != revision:
            self.problem("policy", f"revision {revision} was in force: {line}")
        methods = [line["method"]]
        if line["seq"] in self.replay.created and line["method"] == "key.public":
            methods.append("namespace.create")
        for method in methods:
            position = len(self.rules) - 1
            if not self.allows(position, line["uid"], method, line.get("namespace"), kind):
                self.problem("policy", f"revision {revision} does not allow {method}: {line}")

    def rights_during(self, attempt: Attempt,
                      name: Optional[str] = None) -> Iterator[Optional[bool]]:
        """Whether the policies that were in force between question and answer allow the call, or
        that for another name; `None` before the first policy that is known."""
        low, high = self.bounds[id(attempt)]
        if attempt.seq is not None:
            low = high = attempt.seq - 1    # it has a number, and was judged right there
            if attempt.method not in JUDGED:
                low = self.bounds[id(attempt)][0]
        kind = "subtree" if "prefix" in attempt.told else None
        for position in self.during(self.policies, low, high):
            yield None if position is None else self.allows(
                position, attempt.uid, attempt.method, name or attempt.namespace, kind)

    def allows(self, position: int, uid: int, method: str, name: Optional[str],
               kind: Optional[str]) -> bool:
        """What a policy says, by its position in the order in which they were set."""
        question = (position, uid, method, name, kind)
        if question not in self.decided:
            self.decided[question] = allows(self.rules[position][1], *question[1:])
        return self.decided[question]

    # --- keys -----------------------------------------------------------------------------------

    def check_signatures(self) -> None:
        points: Dict[tuple, str] = {}
        owners: Dict[str, tuple] = {}
        for attempt in self.attempts:
            if attempt.method == "key.public" and attempt.succeeded:
                told = attempt.told
                key = (attempt.namespace, told["purpose"], told["version"])
                point = octets_of(told["point"]).hex()
                if points.setdefault(key, point) != point or owners.setdefault(point, key) != key:
                    self.problem("deleted", f"{key} has another's point: {point}")
        for attempt in self.attempts:
            if "signature" not in attempt.told:
                continue
            told = attempt.told
            purpose = "signing" if attempt.method == "key.sign" else "presentation"
            point = points.get((attempt.namespace, purpose, told["version"]))
            if point is None:
                self.problem("signature", f"{attempt}: nobody was given its public key")
                continue
            try:
                verify(f"{told['format']} {told['message'] or '-'} {point} {told['signature']}")
            except (InvalidSignature, Bad, ValueError) as error:
                self.problem("signature", f"{attempt}: {error!r}")

    def check_run(self, run: Run) -> None:
        opened = self.replay.sessions.get(run.presentation)
        steps = self.replay.steps.get(run.presentation, [])
        versions = {self.replay.versions[seq] for seq in steps}
        if run.end == "reader" and versions == {run.version}:
            self.problem("reader", f"version {run.version} of {opened}: {run.text}")
        if run.end == "granted" and versions != {run.version}:
            self.problem("reader", f"{opened} was granted with versions {versions}, and the reader "
                                   f"knows {run.version}")
        if run.known_since and opened:
            gone = [seq for seq in self.replay.passes.get(opened.namespace, [])
                    if run.known_since < seq < opened.seq]
            if gone:
                self.problem("deleted", f"{opened} was keyed by the persistent key of line "
                                        f"{run.known_since}, which went with line {gone[0]}")


def allows(rules: list, uid: int, method: str, name: Optional[str], kind: Optional[str]) -> bool:
    scope = METHODS[method]["x-scope"]
    if scope == "none":
        return True
    if kind is None:
        kind = "vault" if scope == "vault" else "namespace" if name else "filtered"
    caller = {"uid": uid, "gid": -1, "groups": []}
    world = policy_oracle.World({}, {})
    return any(world.names_caller(rule, caller) and policy_oracle.has_method(rule, method)
               and policy_oracle.covers(rule, kind, name) for rule in rules)


def check(attempts: List[Attempt], runs: List[Run], lines: List[dict],
          endings: Endings) -> List[Problem]:
    """What is wrong with a history; `lines` are those of the record itself, in their order."""
    return History(attempts, runs, lines, endings).check()
