"""The record of a run in words a person can follow."""

from typing import List, NamedTuple

DEVICE_TO_READER = "device -> reader"
READER_TO_DEVICE = "reader -> device"


class Step(NamedTuple):
    direction: str
    what: str
    octets: int
    verified: str

    def __str__(self) -> str:
        text = f"{self.direction}  {self.what}, {self.octets} octets"
        return text + (f"; {self.verified}" if self.verified else "")


class Transcript(List[Step]):
    def sent(self, what: str, message: bytes, remark: str = "") -> bytes:
        """Notes the message and hands it back, so a send reads as one expression."""
        self.append(Step(READER_TO_DEVICE, what, len(message), remark))
        return message

    def received(self, what: str, message: bytes, verified: str) -> None:
        self.append(Step(DEVICE_TO_READER, what, len(message), verified))

    def lines(self) -> List[str]:
        return [f"{number:2}. {step}" for number, step in enumerate(self, 1)]
