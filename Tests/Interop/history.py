#!/usr/bin/env python3
"""Revocation is a line in time: many clients, a vault that is killed again and again, and its log.

Clients sign, present, issue, delete, suspend, revoke and take rights away, all at once, while the
daemon is killed with SIGKILL at random moments, and now and then stopped or sealed. Everybody
writes down what was asked and what was answered. Then the audit log is checked, by `vaultctl`, by
`verify_audit` and, against the answers, by `history_checker`.

Makes a vault of its own. As root the clients are other users than the administrator.
"""

import argparse
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parent))

import verify_audit  # noqa: E402
from door import Door, usual_validity  # noqa: E402
from history_checker import Endings, Problem, check  # noqa: E402
from history_clients import (  # noqa: E402
    WIDTH, Governor, Holder, Policies, Presenter, Revoker, Shared, Signer, start)
from history_record import Attempt, Journal, RecordedClient, Run, read_journal  # noqa: E402
from history_vault import DisposableVault, VaultFailure  # noqa: E402
from vault_client import VaultClient, VaultError, WireError  # noqa: E402

ENVIRONMENT = "LATCHKEY_HISTORY_SECONDS"
CLIENTS = (Signer, Signer, Presenter, Presenter, Presenter, Holder, Holder, Revoker, Governor)
ENOUGH = 100        # lines of the log for each second
LONGEST = 10        # times the time that was asked for
# What has to have happened for the rest to mean anything.
MEANT = ("kills", "revoked", "revoked by prefix", "suspended", "keys deleted", "policies",
         "signatures", "granted", "rights withdrawn under way", "revoked under way",
         "lines without an answer")


class Scenario:
    def __init__(self, vault: DisposableVault, seed: str, first_uid: int):
        self.vault, self.seed, self.random = vault, seed, random.Random(seed)
        self.admin = os.geteuid()
        self.workers = ([first_uid, first_uid + 1] if self.admin == 0 else [self.admin])
        context = multiprocessing.get_context("fork")
        self.shared = Shared(vault.sockets, context.Event(), context.Event(),
                             context.Value("i", 0), Door(), usual_validity())
        self.policies = Policies(self.admin, set(self.workers))
        self.files: List[Path] = []
        self.processes: Dict[int, str] = {}
        self.done: Counter = Counter()
        self.lines = 0              # of the log
        self.disturbance = 0.0      # how long the last one took, in seconds
        self.journal = Journal(self.file("driver"), os.getpid(), self.admin)

    def file(self, name: str) -> object:
        self.files.append(self.vault.directory / f"{name}.journal")
        return open(self.files[-1], "w", encoding="utf-8")

    # --- clients --------------------------------------------------------------------------------

    def start_clients(self) -> None:
        for number, client in enumerate(CLIENTS):
            name = f"{client.__name__}-{number}"
            uid = (self.admin if client in (Revoker, Governor)
                   else self.workers[number % len(self.workers)])
            more = [self.policies] if client is Governor else []
            with self.file(name) as stream:
                process = start(client, self.shared, stream, uid, f"{self.seed} {name}", *more)
            self.processes[process] = name

    def end_clients(self) -> None:
        self.shared.stop.set()
        self.shared.gate.set()
        ends = {name: os.waitpid(process, 0)[1] for process, name in self.processes.items()}
        self.processes = {}
        failed = [name for name, status in ends.items() if status]
        if failed:
            raise VaultFailure(f"{', '.join(failed)} ended with an error")

    def check_clients(self) -> None:
        for process, name in self.processes.items():
            if os.waitpid(process, os.WNOHANG)[0]:
                del self.processes[process]
                raise VaultFailure(f"{name} has ended by itself")

    # --- what happens to the vault --------------------------------------------------------------

    def run(self, seconds: float) -> None:
        self.vault.start(unsealed=True)
        self.vault.await_service()
        self.call("policy.set", {"policy": self.policies.whole})
        self.shared.gate.set()
        begin = time.monotonic()
        while not self.is_enough(seconds, time.monotonic() - begin):
            # A slow machine needs more time for the same.
            slowness = self.disturbance * self.random.random()
            pause = self.random.choice((0.1, 0.5, 1.0)) * (0.3 + self.random.random())
            time.sleep(pause + slowness)
            self.check_clients()
            disturbed = time.monotonic()
            self.disturb()
            self.disturbance = time.monotonic() - disturbed
        self.end_clients()
        self.inspect(range(self.shared.newest.value + 1))

    def is_enough(self, wanted: float, passed: float) -> bool:
        """A machine that is busy with other things gets more time."""
        return passed >= wanted and (
            self.lines >= ENOUGH * wanted or passed >= LONGEST * wanted)

    def disturb(self) -> None:
        choice = self.random.random()
        if choice < 0.1:
            self.call("seal", {})
            self.done["seals"] += 1
            time.sleep(self.random.random() * 0.1)
            return self.unseal()
        self.shared.gate.clear()
        if choice < 0.17:
            self.vault.stop()
            self.done["stops"] += 1
        else:
            self.kill()
        while self.random.random() < 0.3:
            self.vault.start(unsealed=True)
            time.sleep(self.random.random() * 0.2)
            self.kill()
        unsealed = self.random.random() < 0.6
        self.vault.start(unsealed)
        self.vault.await_service()
        if self.random.random() < 0.3:
            self.shared.gate.set()      # what comes now may meet a sealed vault
        if not unsealed:
            self.unseal()
        newest = self.shared.newest.value
        self.inspect(range(max(newest - 2, 0), newest + 1))
        self.shared.gate.set()

    def kill(self) -> None:
        self.vault.kill()
        self.done["kills"] += 1

    def call(self, method: str, params: dict) -> dict:
        client = RecordedClient(self.vault.sockets["admin"], "admin", self.journal)
        with client:
            return client.call(method, params)

    def unseal(self) -> None:
        self.call("unseal", {"key": self.vault.key()})

    def inspect(self, blocks: range) -> None:
        """Looks at what is there, mostly while nobody else acts."""
        with RecordedClient(self.vault.sockets["admin"], "admin", self.journal) as client:
            damage = client.call("status")["damage"]
            if damage:
                raise VaultFailure(f"the vault is damaged: {damage}")
            # Its number tells from when on the following is.
            self.lines = client.call("audit.checkpoint")["seq"]
            for block in blocks:
                for number in range(WIDTH + 1):
                    for method in ("namespace.get", "pass.info"):
                        try:
                            client.call(method, {"namespace": self.shared.name(block, number)})
                        except VaultError:
                            pass    # How it refuses is judged later.

    # --- afterwards -----------------------------------------------------------------------------

    def journals(self) -> tuple:
        self.journal.close()
        attempts: List[Attempt] = []
        runs: List[Run] = []
        for file in self.files:
            with open(file, encoding="utf-8") as stream:
                more_attempts, more_runs = read_journal(stream)
            attempts += more_attempts
            runs += more_runs
        return attempts, runs

    def log(self) -> List[dict]:
        """Stops the daemon; its log, which two programs have found without fault."""
        with VaultClient(self.vault.sockets["admin"]) as client:
            status = client.call("status")
        key, directory = status["audit"]["key"], self.vault.directory
        export = directory / "export"
        self.vault.control("audit", "export", "--runtime", str(directory / "run"),
                           "--out", f"{export}/")
        self.vault.stop()
        final = self.vault.data / "audit"
        for place in (export, final):
            self.vault.control("audit", "verify", str(place), "--key", key)
        found = verify_audit.verify(verify_audit.read(final), key, status["vault_id"])
        if not found["ok"]:
            raise VaultFailure(f"{final}: {found['fault']}")
        exported, whole = (b"".join(text for _, text in verify_audit.read(place))
                           for place in (export, final))
        if not whole.startswith(exported):
            raise VaultFailure("the log is not that which was exported, and more")
        return [json.loads(line) for line in whole.split(b"\n") if line.startswith(b'{"seq":')]


def figures(attempts: List[Attempt], runs: List[Run], lines: List[dict], done: Counter) -> Counter:
    """How often what has happened, for whoever reads the result."""
    counts = Counter(done)
    counts["calls"] = len(attempts)
    counts["lines"] = len(lines)
    for attempt in attempts:
        counts["answered"] += attempt.answered is not None
        counts["refused"] += attempt.code is not None
        counts["lines without an answer"] += attempt.answered is None and attempt.seq is not None
        counts["signatures"] += "signature" in attempt.told
    for line in lines:
        method, is_ok = line["method"], line["outcome"] == "ok"
        counts["revoked by prefix"] += is_ok and method == "namespace.revoke" and "count" in line
        counts["revoked"] += is_ok and method == "namespace.revoke" and "count" not in line
        counts["suspended"] += is_ok and method == "namespace.suspend"
        counts["keys deleted"] += is_ok and method == "pass.delete" and "key_version" in line
        counts["policies"] += is_ok and method == "policy.set"
        counts["rights withdrawn under way"] += line.get("reason") == "right_withdrawn"
        # The namespace was known when it was asked for, or the line would not have its identifier.
        counts["revoked under way"] += line.get("code") == "revoked" and "namespace_id" in line
    for run in runs:
        counts["granted"] += run.end == "granted"
        counts["keyed"] += run.known_since is not None
    return counts


def examine(arguments: argparse.Namespace, directory: Path) -> int:
    users = [arguments.first_uid, arguments.first_uid + 1] if os.geteuid() == 0 else []
    vault = DisposableVault(arguments.binaries, directory, users)
    scenario = Scenario(vault, arguments.seed, arguments.first_uid)
    try:
        scenario.start_clients()
        scenario.run(arguments.seconds)
        lines = scenario.log()
    finally:
        vault.abandon()
        scenario.end_clients()
    attempts, runs = scenario.journals()
    endings: Endings = vault.endings
    problems = check(attempts, runs, lines, endings)
    counts = figures(attempts, runs, lines, scenario.done)
    problems += [Problem("figures", f"nothing happened of: {name}")
                 for name in MEANT if not counts[name]]
    for rule, text in problems[:50]:
        print(f"history: {rule}: {text}", file=sys.stderr)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    print(f"{len(problems)} problems, seed {arguments.seed}")
    return 1 if problems else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--binaries", type=Path, required=True,
                        help="the directory of vaultd and vaultctl")
    parser.add_argument("--seconds", type=float, default=float(os.environ.get(ENVIRONMENT, 60)),
                        help=f"how long it goes on, or longer on a busy machine; {ENVIRONMENT}, "
                             "or 60, unless given")
    parser.add_argument("--seed", default=str(random.SystemRandom().randrange(10**9)))
    parser.add_argument("--keep", type=Path, metavar="DIR",
                        help="keeps the vault, its messages and what was written down there")
    parser.add_argument("--first-uid", type=int, default=40_011)
    arguments = parser.parse_args()
    print(f"{arguments.seconds:g} seconds, seed {arguments.seed}", flush=True)
    try:
        if arguments.keep:
            arguments.keep.mkdir(parents=True)
            return examine(arguments, arguments.keep)
        with tempfile.TemporaryDirectory(prefix="lk-") as directory:
            return examine(arguments, Path(directory))
    except (VaultFailure, VaultError, WireError) as error:
        print(f"history: {error}; seed {arguments.seed}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
