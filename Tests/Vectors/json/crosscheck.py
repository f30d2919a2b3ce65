#!/usr/bin/env python3
"""Compares corpus.tsv with Python's own json module, where both are strict in the same matters.

Python takes more than the protocol does: these classes it must accept where the table refuses.
"""
import json
import pathlib
import re
import sys

LAX = {"notAnInteger", "integerOutOfRange", "tooDeep", "loneSurrogate"}


def octets(text):
    return re.sub(rb"<([0-9A-F]{2})>", lambda m: bytes([int(m[1], 16)]), text.encode("ascii"))


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError("a name given twice")
    return dict(pairs)


def constant(word):
    raise ValueError("no JSON: " + word)


def load(text):
    return json.loads(text.decode("utf-8"), object_pairs_hook=unique, parse_constant=constant)


def main():
    table = pathlib.Path(__file__).with_name("corpus.tsv").read_text(encoding="ascii")
    agreed = lax = 0
    wrong = []
    for line in table.splitlines():
        if line.startswith("#"):
            continue
        outcome, _, text, value = line.split("\t")
        try:
            loaded = load(octets(text))
            accepted = True
        except (ValueError, UnicodeDecodeError):
            accepted = False
        if outcome == "accept":
            if accepted and loaded == load(octets(value)):
                agreed += 1
            else:
                wrong.append(line)
        elif outcome in LAX or (outcome == "nulCharacter" and "u0000" in text):
            lax += 1
            if not accepted:
                wrong.append(line)
        elif accepted:
            wrong.append(line)
        else:
            agreed += 1
    print(f"{agreed} agree, {lax} are refused by the protocol alone, {len(wrong)} contradict")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
