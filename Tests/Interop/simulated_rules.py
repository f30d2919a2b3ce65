"""The rules of the simulated device, each of which can be left out to make a weak vault."""

from typing import Callable, Set, TypeVar

Value = TypeVar("Value")

# Names of rules that are not checked at the moment, and of those that were broken.
IGNORED: Set[str] = set()
BROKEN: Set[str] = set()


class Refused(Exception):
    """Ends the session unless `harmless`: a status word for the reader, a code for the caller."""

    def __init__(self, status_word: str, code: str, rule: str, harmless: bool = False):
        super().__init__(rule)
        self.status_word = status_word
        self.code = code
        self.harmless = harmless


def require(condition: bool, rule: str, status_word: str, code: str = "protocol_error",
            harmless: bool = False) -> None:
    if condition:
        return
    BROKEN.add(rule)
    if rule not in IGNORED:
        raise Refused(status_word, code, rule, harmless)


def strictly(kind: type, rule: str, status_word: str, work: Callable[[], Value],
             otherwise: Callable[[], Value], code: str = "protocol_error") -> Value:
    """`work()`; raising `kind` breaks the rule, and then a weak vault goes on `otherwise`."""
    try:
        return work()
    except kind:
        require(False, rule, status_word, code)
        return otherwise()
