"""Lines with a canary that are no calls, or almost."""

from typing import Callable, List, Tuple


def request(members: bytes) -> bytes:
    return b'{"jsonrpc":"2.0",' + members + b"}"


# How each is made, and whether the answer may repeat the canary.
RAW: List[Tuple[str, Callable[[bytes], bytes]]] = [
    ("secret", lambda text: text),
    ("secret", lambda text: b'"' + text + b'"'),
    ("secret", lambda text: b'{"' + text),
    ("secret", lambda text: b'["' + text + b'"]'),
    ("secret", lambda text: b"[" * 40 + b'"' + text + b'"' + b"]" * 40),
    ("echo", lambda text: request(b'"id":1,"method":"' + text + b'"')),
    ("echo", lambda text: request(b'"id":1,"method":"seal' + text + b'"')),
    ("secret", lambda text: b'{"jsonrpc":"' + text + b'","id":1,"method":"health"}'),
    ("secret", lambda text: request(b'"id":{"' + text + b'":1},"method":"health"')),
    ("secret", lambda text: request(b'"id":1,"method":{"' + text + b'":1}')),
    ("secret", lambda text: request(b'"id":1,"method":"health","params":"' + text + b'"')),
    ("echo", lambda text: request(b'"id":"' + text + b'","method":"health"')),
    ("echo", lambda text: request(b'"id":"' + text + b'","method":"no"')),
    ("echo", lambda text: request(b'"id":1,"method":"health","' + text + b'":1')),
    ("secret", lambda text: request(b'"id":1,"method":"health","x":"' + text + b'"')),
    ("secret", lambda text: request(b'"id":1,"method":"key.sign","params":{"message":"' + text)),
    ("secret", lambda text: request(b'"id":1,"id":2,"method":"health","x":"' + text + b'"')),
    ("secret", lambda text: request(b'"id":1,"method":"health"') + b' "' + text + b'"'),
    ("secret", lambda text: b'{"a":"\xff' + text + b'"}'),
    ("secret", lambda text: b'{"a":"\\ud800' + text + b'"}'),
    ("secret", lambda text: b'{"a":"\\x' + text + b'"}'),
    ("secret", lambda text: b"\x00" + text + b"\x01"),
]
