"""The command line, and the order of things."""

import argparse
import os
import re
import signal
import sys
from typing import List, Optional

from .channel import ADDRESS_TYPES
from .outcome import Ending, Exit, Failure
from .progress import Progress
from .reach import known_reader, reader_in_range
from .relay import Opening, Relay
from .simulation import VERSION, simulate
from .vault import Vault

NOT_RUN = """\
Not run on hardware: the calls to BlueZ and to the kernel's Bluetooth sockets were written from
their documentation. Everything around them is tested, with stand-ins for these two."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        self.exit(Exit.USAGE, f"{self.prog}: {message}\nSee {self.prog} --help.\n")


def make_parser() -> Parser:
    exits = "\n".join(f"  {exit:4}  {exit.meaning}" for exit in Exit)
    parser = Parser(
        prog="ble-relay", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Opens a lock: carries messages between an Aliro reader and the vault.",
        epilog=f"Exit status:\n{exits}\n\n{NOT_RUN}\n\n"
               "Example: ble-relay --namespace office/front-door --intent unsecure")
    parser.add_argument("--socket", default="/run/latchkey/client/vault.sock", metavar="PATH",
                        help="the vault's client socket (default: %(default)s)")
    parser.add_argument("--namespace", metavar="NAME",
                        help="whose credential to present (default: the one the reader belongs to)")
    parser.add_argument("--intent", choices=["unsecure", "secure", "approach"],
                        default="unsecure",
                        help="what is wanted of the lock (default: %(default)s)")
    parser.add_argument("--request", choices=["unsecure", "secure"],
                        help="with --intent approach, what to ask for once the reader has accepted "
                             "the credential (default: nothing, the reader decides)")
    parser.add_argument("--user-confirmed", action="store_true", default=None,
                        help="assert to the vault that the user has just confirmed; it is audited")
    radio = parser.add_argument_group("finding the reader")
    radio.add_argument("--adapter", default="hci0", metavar="NAME", type=adapter_name,
                       help="(default: %(default)s)")
    radio.add_argument("--scan", type=seconds, default=30.0, metavar="SECONDS",
                       help="how long to look for a reader (default: %(default)g)")
    radio.add_argument("--address", type=bluetooth_address, metavar="AA:BB:CC:DD:EE:FF",
                       help="this reader, whatever it advertises; needs --namespace")
    radio.add_argument("--address-type", choices=list(ADDRESS_TYPES), default="random",
                       help="with --spsm (default: %(default)s)")
    radio.add_argument("--spsm", type=spsm, metavar="N",
                       help="the channel's number, as 0x0080; with --versions nothing is asked "
                            "of the reader, nor told to it, before the channel")
    radio.add_argument("--versions", type=version_list, metavar="HEX",
                       help="the reader's version list, as 0100")
    parser.add_argument("--reader-timeout", type=seconds, default=10.0, metavar="SECONDS",
                        help="longest silence of the reader, where the vault names none "
                             "(default: %(default)g)")
    parser.add_argument("--vault-timeout", type=seconds, default=30.0, metavar="SECONDS",
                        help="longest wait for an answer of the vault (default: %(default)g)")
    parser.add_argument("--json", action="store_true",
                        help="one JSON object a line, the last of them `ended`")
    parser.add_argument("--simulate", action="store_true",
                        help="against a simulated reader, with a key and pass that are deleted "
                             "after, in demo/ble-relay unless --namespace; in a checkout only")
    return parser


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError("a time is above 0 and at most 3600 seconds")
    return value


def bluetooth_address(text: str) -> str:
    if not re.fullmatch("([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}", text):
        raise ValueError
    return text.upper()


def adapter_name(text: str) -> str:
    if not re.fullmatch("hci[0-9]+", text):
        raise ValueError
    return text


def spsm(text: str) -> int:
    value = int(text, 0)
    if not 0x01 <= value <= 0xFF:
        raise ValueError
    return value


def version_list(text: str) -> bytes:
    octets = bytes.fromhex(text)
    if not 2 <= len(octets) <= 32 or len(octets) % 2:
        raise ValueError
    return octets


def check(parser: Parser, given: argparse.Namespace) -> None:
    """What argparse cannot say about options together."""
    if (given.spsm is None) != (given.versions is None):
        parser.error("--spsm and --versions go together")
    if given.spsm is not None and given.address is None:
        parser.error("--spsm needs --address")
    if given.address is not None and given.namespace is None:
        parser.error("--address needs --namespace: without an advertisement nothing tells it")
    if given.simulate and (given.address is not None or given.user_confirmed):
        parser.error("--simulate has a reader of its own: leave out --address and "
                     "--user-confirmed")
    if given.request is not None and given.intent != "approach":
        parser.error("--request is for --intent approach: the others ask by themselves")
    if given.simulate and given.intent == "approach" and given.request is None:
        parser.error("the simulated reader does not decide by itself: add --request")


def run(given: argparse.Namespace, tell: Progress) -> Ending:
    with Vault.connect(given.socket, given.vault_timeout) as vault:
        if given.simulate:
            opening = Opening(given.namespace or "demo/ble-relay", given.intent, VERSION, VERSION,
                              request=given.request)
            return simulate(vault, opening, given.reader_timeout, tell)
        reach = known_reader if given.spsm is not None else reader_in_range
        with reach(given, vault, tell) as (channel, opening):
            return Relay(vault, channel, given.reader_timeout, tell).run(opening)


def main(arguments: Optional[List[str]] = None) -> int:
    parser = make_parser()
    given = parser.parse_args(arguments)
    check(parser, given)
    tell = Progress(given.json)
    # Both ways of stopping it close the channel and the session on the way out.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        ending = run(given, tell)
    except Failure as failure:
        ending = failure.ending
    except KeyboardInterrupt:
        ending = Ending(Exit.INTERRUPTED, "interrupted")
    try:
        tell.end(*ending)
    except Failure as failure:
        # What is still in the stream cannot be written either; Python would try at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return failure.ending.exit
    return ending.exit
