"""JSON Web Tokens in compact form, good ones and spoiled ones, as RFC 7515 and RFC 7519 have them.

Reads {"seed": number} and writes [{"token": text, "expiry": number or null}]; `null` is a token that
must be refused. Shares no code with the vault.
"""

import base64
import json
import random
import sys


def part(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def token(payload, header=b'{"alg":"RS256","typ":"JWT"}'):
    return ".".join((part(header), part(payload), part(bytes(range(64)))))


def main():
    chance = random.Random(json.load(sys.stdin)["seed"])
    cases = []
    claims = ["iss", "sub", "aud", "iat", "jti", "nested", "http://tapkey.net/oauth/x"]
    for _ in range(800):
        end = chance.choice([0, 1, 1_700_000_000, 253_402_300_799, chance.randrange(1 << 37)])
        body = {name: chance.choice(["ü\"\\", 7, 1.5e3, None, True, [1, {"exp": 2}], {"exp": 3}])
                for name in chance.sample(claims, chance.randrange(len(claims)))}
        items = [*body.items(), ("exp", end)]
        chance.shuffle(items)
        text = json.dumps(dict(items), ensure_ascii=chance.random() < 0.5,
                          indent=chance.choice([None, 1]))
        cases.append({"token": token(text.encode()), "expiry": end})
    # The name of the member may be written with escapes.
    cases.append({"token": token(b'{"\\u0065xp":77}'), "expiry": 77})
    for payload in (b"", b"{}", b"[]", b"7", b'{"exp":"5"}', b'{"exp":5.0}', b'{"exp":5e0}',
                    b'{"exp":-1}', b'{"exp":253402300800}', b'{"exp":null}', b'{"exp":1,"exp":1}',
                    b'{"exp":1,"\\u0065xp":1}', b'{"exp":01}', b'{"exp":1} x', b'{"exp":1',
                    b'{"Exp":1}', b'{"exp ":1}', b'\xef\xbb\xbf{"exp":1}', b'{"exp":1,"a":"\xff"}',
                    b'{"exp":9007199254740993}', b'{"exp":[1]}', b"[" * 40 + b"]" * 40,
                    b'{"a":' + b"[" * 40 + b"]" * 40 + b',"exp":1}'):
        cases.append({"token": token(payload), "expiry": None})
    good = token(b'{"exp":12345}')
    first, second, third = good.split(".")
    for text in ("", ".", "..", "a.b", f"{first}.{second}", f"{good}.x", f".{second}.{third}",
                 f"{first}..{third}", f"{first}.{second}.", f"{first}.{second}=.{third}",
                 f"{first}.{second}A.{third}", f" {good}", f"{good}\n", f"{first}.{second} .{third}",
                 f"{first}.+{second[1:]}.{third}", f"é.{second}.{third}"):
        cases.append({"token": text, "expiry": None})
    # A bit that stands for nothing must be zero, so that a token has one form.
    for length in (1, 2):
        payload = b'{"exp":5}' + b" " * (length + 2)
        text = part(payload)
        if len(text) % 4:
            spoiled = text[:-1] + chr(ord(text[-1]) + 1)
            cases.append({"token": f"a.{spoiled}.b", "expiry": None})
    for _ in range(300):
        place = chance.randrange(len(good))
        other = chance.choice("!%&/()*,:;<>?@[]^`{|}~ \t\x7f=+")
        cases.append({"token": good[:place] + other + good[place + 1:], "expiry": None})
    json.dump(cases, sys.stdout)


main()
