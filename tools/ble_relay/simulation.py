"""A reader without a radio: the independent one of the interoperability tests.

A throw-away door is made, the vault gets a pass for it, and the relay runs as it would with a
lock, only that the channel is one end of a socket pair.
"""

import base64
import socket
import sys
import threading
from pathlib import Path

from .channel import Channel
from .outcome import Ending, Exit, Failure
from .relay import Opening, Relay, Tell
from .vault import MESSAGE_LIMIT, Vault

VERSION = b"\x01\x00"
INTEROP = Path(__file__).resolve().parent.parent.parent / "Tests" / "Interop"


def simulate(vault: Vault, opening: Opening, patience: float, tell: Tell) -> Ending:
    """One whole unlock. The namespace must have no credential key: this one is deleted after."""
    namespace = opening.namespace
    door, reader_module, usual_validity = _load()
    key = vault.call("key.public", namespace=namespace)
    if key.get("created") is not True:
        raise Failure(Exit.CONFLICT, f"{namespace} has a credential key, which a simulation would "
                                     "delete: name another namespace, or delete that one's key "
                                     f"and pass first, with `vaultctl pass delete {namespace}`")
    try:
        credential = base64.b64decode(key.get("point", ""), validate=True)
        valid_from, valid_until = usual_validity()
        vault.call("pass.store", namespace=namespace, **{
            "pass": door.unlock_pass(credential, valid_from, valid_until)})
        tell("simulating", namespace=namespace)
        reader = reader_module.Reader(
            door.reader_config(credential, valid_from, "loadcert", intent=opening.intent))
        return _run(vault, reader, opening, patience, tell)
    finally:
        _clean_up(vault, namespace, tell)


def _load() -> tuple:
    if not (INTEROP / "aliro_reader").is_dir():
        raise Failure(Exit.UNAVAILABLE, "the simulated reader is not there: --simulate works in a "
                                        f"checkout of the source only, with {INTEROP}")
    sys.path.insert(0, str(INTEROP))
    try:
        import aliro_reader
        from door import Door, usual_validity
    except ImportError as error:
        raise Failure(Exit.UNAVAILABLE, f"the simulated reader cannot be loaded ({error}): run "
                                        "tools/setup, then this with .build/venv/bin/python"
                      ) from error
    return Door(), aliro_reader, usual_validity


def _run(vault: Vault, reader, opening: Opening, patience: float, tell: Tell) -> Ending:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    lock = SimulatedLock(theirs, reader)
    lock.start()
    ending = Relay(vault, Channel(ours), patience, tell).run(opening)
    # The relay has closed its end, so the lock comes to its own.
    lock.join()
    if lock.complaint:
        tell("reader", text=lock.complaint)
    if ending.exit == Exit.GRANTED and not reader.finished:
        return Ending(Exit.UNDECIDED, "the vault says granted, but the reader has not opened")
    return ending


class SimulatedLock(threading.Thread):
    """The reader behind its end of the channel."""

    def __init__(self, connection: socket.socket, reader):
        super().__init__(name="simulated lock", daemon=True)
        self._connection = connection
        self._reader = reader
        self.complaint = ""

    def run(self) -> None:
        try:
            with self._connection:
                while message := self._connection.recv(MESSAGE_LIMIT + 1):
                    for reply in self._reader.receive(message):
                        self._connection.send(reply)
        except Exception as error:    # whatever it is: it is this side's, and ends it
            self.complaint = f"{type(error).__name__}: {error}"


def _clean_up(vault: Vault, namespace: str, tell: Tell) -> None:
    try:
        vault.call("pass.delete", namespace=namespace)
    except Failure as failure:
        tell("warning", text=f"the key and pass made for this run are still in {namespace}: "
                             f"{failure.ending.text}")
