#!/usr/bin/env python3
"""Writes documents.json: documents, requests and responses that AliroEngineTests compare with.

Everything is encoded by cbor2 and signed by python-cryptography, with the keys of aliro-vectors.json;
signatures are deterministic (RFC 6979), so that the file is the same each time.
"""

import json

from building import (
    HERE, Tag, access, certificate, document, door, dumps, epoch, only, request, response,
    schedule, wants)

START, END = "2026-01-05T08:00:00", "2026-06-30T18:00:00"
HOURS = 10 * 3600

OFFICE = access(
    [{0: 0x06, 1: 0b01}, {0: 0x01}, {0: 0x3F, 1: 0b11, 2: 0b10}],
    [schedule(START, END, [HOURS, 0x1F, 2, 1, 0]), schedule(START, flags=1)],
    o4=[7, 65535],
)
RICH = document(
    "aliro-a",
    {
        "aliro-a": [
            ("office", OFFICE),
            ("greeting", "hello"),
            ("gate", access([{0: 2}], [], identifier=b"")),
        ],
        "vendor": [("gate", b"\x01\x02")],
    },
)
REVOCATION = document(
    "aliro-r",
    {
        "aliro-r": [
            (
                "list",
                {
                    0: 0,
                    1: 1,
                    2: [{0: bytes(32)}, {1: b"user-0042", 2: epoch(END)}],
                    3: [{1: b"user-0041"}],
                },
            )
        ]
    },
    device=False,
)

EXCHANGES = {
    "one element of three": (
        request(wants("aliro-a", aliro_a=["greeting"])),
        response(only(RICH, aliro_a=[1])),
    ),
    "two elements, in the order of the document": (
        request(wants("aliro-a", aliro_a=["gate", "office"])),
        response(only(RICH, aliro_a=[0, 2])),
    ),
    "the same element in another namespace": (
        request(wants("aliro-a", vendor=["gate"])),
        response(only(RICH, vendor=[0])),
    ),
    "everything of both documents": (
        request(
            wants("aliro-r", aliro_r=["list"]),
            wants("aliro-a", aliro_a=["office", "greeting", "gate"], vendor=["gate"]),
        ),
        response(REVOCATION, RICH),
    ),
    "an element that is not there": (
        request(wants("aliro-a", aliro_a=["cellar"])),
        response(),
    ),
    "a namespace that is not there": (
        request(wants("aliro-a", aliro_r=["office"])),
        response(),
    ),
    "a type that is not there": (
        request(wants("aliro-x", aliro_a=["office"])),
        response(),
    ),
    "nothing of a document": (request(wants("aliro-a", aliro_a=[])), response()),
    "keys that are not known": (
        {"9": 1, **request({**wants("aliro-a", aliro_a=["greeting"]), "2": {"a": 1}, "8": []})},
        response(only(RICH, aliro_a=[1])),
    ),
}

INVALID = {
    "not a map": [1],
    "no version": {"2": request(wants("aliro-a"))["2"]},
    "another version": request(wants("aliro-a"), version="1.1"),
    "no requests": {"1": "1.0", "2": []},
    "requests that are no list": {"1": "1.0", "2": {}},
    "a request that is not tagged": {"1": "1.0", "2": [{"1": dumps(wants("aliro-a"))}]},
    "a request under another tag": {"1": "1.0", "2": [{"1": Tag(25, dumps(wants("aliro-a")))}]},
    "no type": request({"1": {}}),
    "a type that is no text": request({"1": {}, "5": 1}),
    "no namespaces": request({"5": "aliro-a"}),
    "a namespace that is no text": request({"1": {1: {}}, "5": "aliro-a"}),
    "elements that are a list": request({"1": {"aliro-a": ["office"]}, "5": "aliro-a"}),
    "an element that is no text": request({"1": {"aliro-a": {1: True}}, "5": "aliro-a"}),
    "an intent that is no boolean": request({"1": {"aliro-a": {"office": 1}}, "5": "aliro-a"}),
}

# From the vault's 2026-07-01T12:00:00Z on, within a validity until 2027-01-15.
HOPES = {
    "an unsecure rule": ("", door([{0: 2}], [])),
    "secure alone": ("allowsNothing", door([{0: 1}], [])),
    "payment and secure": ("allowsNothing", door([{0: 0x21}], [])),
    "a capability without a name": ("", door([{0: 0x40}], [])),
    "no capability": ("allowsNothing", door([{0: 0}], [])),
    "no rule": ("allowsNothing", door([], [schedule(START)])),
    "no rule but a reader's own": ("", door([], [], o4=[1])),
    "no rule but an access extension": ("", door([], [], o6={1: 2})),
    "no rule and another extension": ("allowsNothing", door([], [], o5={1: 2})),
    "a value that is no access data, so nobody can tell": (
        "",
        document("aliro-a", {"aliro-a": [("door", "open sesame")]}),
    ),
    "no element, so that the key alone counts": ("", document("aliro-a", {})),
    "one good element beside another": (
        "",
        document(
            "aliro-a", {"aliro-a": [("b", access([{0: 1}], [])), ("c", access([{0: 4}], []))]}
        ),
    ),
    "a schedule that is over": ("schedulesOver", door([{0: 2, 1: 1}], [schedule(START, END, flags=1)])),
    "a schedule that ends this second": (
        "",
        door([{0: 2, 1: 1}], [schedule(START, "2026-07-01T12:00:00", flags=1)]),
    ),
    "a schedule that has just ended": (
        "schedulesOver",
        door([{0: 2, 1: 1}], [schedule(START, "2026-07-01T11:59:59", flags=1)]),
    ),
    "one that ended today by a clock that may be behind": (
        "",
        door([{0: 2, 1: 1}], [schedule(START, "2026-07-01T00:00:00", flags=0)]),
    ),
    "one that is over by every clock": (
        "schedulesOver",
        door([{0: 2, 1: 1}], [schedule(START, "2026-06-30T23:59:59", flags=0)]),
    ),
    "a schedule that has no end": ("", door([{0: 2, 1: 1}], [schedule(START)])),
    "a schedule that begins after the pass": (
        "schedulesOver",
        door([{0: 2, 1: 1}], [schedule("2027-01-15T00:00:01", flags=1)]),
    ),
    "a schedule that begins with the pass's last second": (
        "",
        door([{0: 2, 1: 1}], [schedule("2027-01-15T00:00:00", flags=1)]),
    ),
    "a schedule the wrong way round": (
        "allowsNothing",
        door([{0: 2, 1: 1}], [schedule(END, START, flags=1)]),
    ),
    "a schedule that is not there": ("allowsNothing", door([{0: 2, 1: 2}], [schedule(START)])),
    "allowed and denied": ("allowsNothing", door([{0: 2, 1: 1, 2: 1}], [schedule(START)])),
    "one of two denied": (
        "",
        door([{0: 2, 1: 3, 2: 1}], [schedule(START), schedule(START)]),
    ),
    "one of two over": (
        "",
        door([{0: 2, 1: 3}], [schedule(START, END, flags=1), schedule(START)]),
    ),
    "a rule of two whose schedule is over": (
        "",
        door([{0: 2, 1: 1}, {0: 8}], [schedule(START, END, flags=1)]),
    ),
}


def revokes(*values, valid=("2026-01-15", "2027-01-15"), **spaces):
    """A revocation document with these values, and those of other namespaces."""
    elements = {"aliro-r": values, **spaces}
    named = {
        name: [(f"list{place}", value) for place, value in enumerate(found)]
        for name, found in elements.items()
        if found
    }
    return document("aliro-r", named, device=False, valid=valid)


def change(mode, *entries, **more):
    data = {0: 0, 1: mode, 2: list(entries)}
    return data | {int(key[1:]): value for key, value in more.items()}


def until(text):
    return {1: b"user-0042", 2: epoch(text)}


NOW = "2026-07-01T12:00:00"

# As above, of revocation documents.
REVOCATION_HOPES = {
    "an entry without an end": ("", revokes(change(1, {0: bytes(32)}))),
    "validity that is over": (
        "expired",
        revokes(change(0, {0: bytes(32)}), valid=("2025-01-15", "2026-01-15")),
    ),
    "validity that has not begun": (
        "",
        revokes(change(0, {0: bytes(32)}), valid=("2027-01-15", "2028-01-15")),
    ),
    "an expiry alone, and no time": ("revocationData", revokes(change(0, {2: 5}))),
    "an entry that is empty": ("revocationData", revokes(change(0, {}))),
    "an expiry that is no time": ("revocationData", revokes(change(0, {0: bytes(32), 2: 5}))),
    "an identifier of 16 octets": ("", revokes(change(0, {1: bytes(16)}))),
    "an identifier of 17 octets": ("revocationData", revokes(change(0, {1: bytes(17)}))),
    "one to take back of 17 octets": ("revocationData", revokes(change(1, o3=[{1: bytes(17)}]))),
    "a hash that is a text": ("revocationData", revokes(change(0, {0: "hash"}))),
    "a mode that there is not": ("revocationData", revokes(change(2, {0: bytes(32)}))),
    "text": ("revocationData", revokes("nobody")),
    "text beside a good value": ("revocationData", revokes(change(0, {0: bytes(32)}), "nobody")),
    "what a namespace of a vendor says": ("", revokes(vendor=["nobody"])),
    "no value": ("revokesNothing", revokes()),
    "nothing to add": ("revokesNothing", revokes(change(1))),
    "nothing to add but what an extension says": ("", revokes(change(1, o4={1: 2}))),
    "nothing to add, and one to take back": ("", revokes(change(1, o3=[{1: b"user-0041"}]))),
    "a list to be emptied": ("", revokes(change(0))),
    "an entry that ends this second": ("", revokes(change(1, until(NOW)))),
    "an entry that has just ended": ("entriesOver", revokes(change(1, until("2026-07-01T11:59:59")))),
    "one of two over": ("", revokes(change(1, until(START), {1: b""}))),
    "entries over, in place of the list": ("", revokes(change(0, until(START)))),
    "an entry that ends before the document begins": (
        "entriesOver",
        revokes(change(1, until("2026-12-31T00:00:00")), valid=("2027-01-15", "2028-01-15")),
    ),
}

FLAWED = {
    "mso.deviceKey": {
        "an access document without a key": document(
            "aliro-a", {"aliro-a": [("gate", 1)]}, device=False
        ),
    },
    "issuerAuth.kid": {
        "no issuer named": document("aliro-a", {"aliro-a": [("gate", 1)]}, header={5: b"x"}),
    },
}


def hexadecimal(value):
    return dumps(value).hex()


def main():
    certified = document("aliro-a", {"aliro-a": [("gate", OFFICE)]}, header={33: certificate()})
    out = {
        "access": hexadecimal(RICH),
        "revocation": hexadecimal(REVOCATION),
        "revocationWithKey": hexadecimal(document("aliro-r", {"aliro-r": [("list", 1)]})),
        "revocationOfAnotherForm": hexadecimal(
            document("aliro-r", {"aliro-r": [("list", "nobody")]}, device=False)
        ),
        "revocationReversed": hexadecimal(
            document("aliro-r", {"aliro-r": [("list", 1)]}, device=False, valid=("2027-01-15", "2026-01-15"))
        ),
        "revocationUntilNovember": hexadecimal(
            revokes(change(0, {0: bytes(32)}), valid=("2023-01-01", "2023-11-15"))
        ),
        "certified": hexadecimal(certified),
        "exchanges": [
            {"name": name, "request": hexadecimal(asked), "response": hexadecimal(answer)}
            for name, (asked, answer) in EXCHANGES.items()
        ],
        "invalidRequests": [
            {"name": name, "request": hexadecimal(asked)} for name, asked in INVALID.items()
        ],
        "large": hexadecimal(
            document("aliro-a", {"aliro-a": [("map", bytes(33000)), ("gate", OFFICE)]})
        ),
        "largeRequests": [
            hexadecimal(request(wants("aliro-a", aliro_a=["map"]))),
            hexadecimal(request(*[wants("aliro-a", aliro_a=["map"])] * 2)),
        ],
        "hopes": [
            {"name": name, "flaw": flaw, "document": hexadecimal(made)}
            for name, (flaw, made) in HOPES.items()
        ],
        "revocationHopes": [
            {"name": name, "flaw": flaw, "document": hexadecimal(made)}
            for name, (flaw, made) in REVOCATION_HOPES.items()
        ],
        "flawed": [
            {"name": name, "field": field, "document": hexadecimal(made)}
            for field, cases in FLAWED.items()
            for name, made in cases.items()
        ],
    }
    (HERE / "documents.json").write_text(json.dumps(out, indent=1) + "\n")


main()
