"""How a run ends: exit codes that scripts may rely on, and failures that carry one."""

import enum
from typing import NamedTuple


class Exit(enum.IntEnum):
    """Where `vaultctl` has a number for the same thing, it is mostly the same number: see the manual page."""

    def __new__(cls, number: int, meaning: str) -> "Exit":
        member = int.__new__(cls, number)
        member._value_ = number
        member.meaning = meaning
        return member

    GRANTED = 0, "the reader granted access"
    DENIED = 1, "the reader denied access"
    DAMAGED = 11, "damaged: stored data of the vault does not agree with its seal"
    NOT_FOUND = 12, "there is no namespace or session of that name"
    CONFLICT = 13, "the present state forbids it (no pass, expired, revoked ...)"
    UNDECIDED = 20, "the reader went away, or ended, without granting or denying"
    SILENT = 21, "the reader said nothing for too long"
    REFUSED = 22, "the vault refused the reader: not trusted, or not following the protocol"
    UNREACHED = 23, "no reader was found, or it could not be connected to"
    USAGE = 64, "the command line is wrong"
    BAD_DATA = 65, "a value is malformed"
    UNAVAILABLE = 69, "the vault is not running, sealed or cannot write; or there is no Bluetooth"
    INTERNAL = 70, "the vault failed; see its log"
    OUTPUT = 74, "the output cannot be written"
    TRY_AGAIN = 75, "the vault is busy or out of time: try again"
    MISMATCH = 76, "the vault and this program do not understand each other"
    FORBIDDEN = 77, "this user, or this reader, may not do that"
    INTERRUPTED = 130, "interrupted"


# The vault's words for errors and refusals. The rest means that the two do not agree.
_EXITS = {
    Exit.DAMAGED: ["damaged"],
    Exit.NOT_FOUND: ["not_found"],
    Exit.CONFLICT: ["conflict", "revoked", "expired", "not_yet_valid", "key_unusable",
                    "pass_missing"],
    Exit.REFUSED: ["reader_untrusted", "protocol_error"],
    Exit.BAD_DATA: ["invalid_params", "too_large"],
    Exit.UNAVAILABLE: ["sealed", "audit_unavailable", "storage_full", "clock_uncertain"],
    Exit.INTERNAL: ["internal"],
    Exit.TRY_AGAIN: ["rate_limited", "busy"],
    Exit.FORBIDDEN: ["forbidden"],
}
_EXIT_OF = {code: exit for exit, codes in _EXITS.items() for code in codes}


class Ending(NamedTuple):
    """How it ended, and a sentence for the person who started it."""

    exit: Exit
    text: str

    @classmethod
    def of(cls, code: str, text: str) -> "Ending":
        """The ending for a word of the vault's."""
        return cls(_EXIT_OF.get(code, Exit.MISMATCH), text)


class Failure(Exception):
    """The run is over for this reason."""

    def __init__(self, exit: Exit, text: str):
        super().__init__(text)
        self.ending = Ending(exit, text)
