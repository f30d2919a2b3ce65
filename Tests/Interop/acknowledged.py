#!/usr/bin/env python3
"""What a vault has acknowledged must be there afterwards, whatever happened to it.

`write` makes keys and stores passes on several connections until the vault is gone, and prints a
line for each acknowledged effect: `key NAMESPACE PURPOSE POINT` or `pass NAMESPACE DIGEST`.
`check` reads such lines and asks the vault for each.
"""

import argparse
import base64
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from door import Door, usual_validity  # noqa: E402
from vault_client import VaultClient, VaultError, WireError  # noqa: E402

WRITERS = 6
OUTPUT = threading.Lock()


def tell(*words: str) -> None:
    with OUTPUT:
        print(*words, flush=True)


def write(path: str, prefix: str, writer: int) -> None:
    door, number = Door(), 0
    valid = usual_validity()
    try:
        with VaultClient(path) as vault:
            while True:
                namespace = f"{prefix}/{writer}/{number}"
                number += 1
                signing = vault.call("key.public", {"namespace": namespace, "purpose": "signing"})
                tell("key", namespace, "signing", signing["point"])
                key = vault.call("key.public", {"namespace": namespace})
                tell("key", namespace, "presentation", key["point"])
                unlock_pass = door.unlock_pass(base64.b64decode(key["point"]), *valid)
                stored = vault.call("pass.store", {"namespace": namespace, "pass": unlock_pass})
                tell("pass", namespace, stored["digest"])
    except WireError:
        pass    # The vault is gone, which is how this ends.


def write_all(path: str, prefix: str) -> int:
    threads = [threading.Thread(target=write, args=(path, prefix, number))
               for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0


def check(path: str) -> int:
    count, wrong = 0, 0
    with VaultClient(path) as vault:
        for line in sys.stdin:
            kind, namespace, *rest = line.split()
            count += 1
            try:
                if kind == "key":
                    found = vault.call("key.public", {"namespace": namespace, "purpose": rest[0]})
                    good = found["point"] == rest[1] and not found["created"]
                else:
                    found = vault.call("pass.info", {"namespace": namespace})
                    good = found["digest"] == rest[0] and found["usable"]
            except VaultError as error:
                found, good = error, False
            if not good:
                wrong += 1
                print(f"{line.strip()}: now {found}", file=sys.stderr)
    print(f"{count} acknowledged effects, {wrong} lost")
    return 1 if wrong or not count else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("act", choices=["write", "check"])
    parser.add_argument("--client-socket", required=True)
    parser.add_argument("--admin-socket")
    parser.add_argument("--prefix", default="load", help="what the names begin with")
    arguments = parser.parse_args()
    if arguments.act == "check":
        return check(arguments.client_socket)
    return write_all(arguments.client_socket, arguments.prefix)


if __name__ == "__main__":
    sys.exit(main())
