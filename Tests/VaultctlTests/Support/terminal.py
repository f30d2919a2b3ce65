"""Runs vaultctl on a pseudo-terminal of its own and tells what a person would see.

usage: terminal.py SCRIPT VAULTCTL WORD...

SCRIPT is JSON: a list of steps, each `{"wait": text}` (until the terminal shows it), `{"type": text}`,
`{"signal": name}` (to the process), `{"echo": bool}` (whether the terminal echoes now must be this),
`{"stopped": true}` (the process must be stopped). It is started as the leader of a session, and plays
the shell: the program gets a process group of its own in the foreground. The answer is JSON on standard output: all that was
shown, how the process ended, and whether the terminal echoes afterwards.
"""

import fcntl
import json
import os
import pty
import select
import signal
import sys
import termios
import time

LIMIT = 30


def echoes(terminal: int) -> bool:
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


def read_until(master: int, shown: bytearray, text: bytes, start: int) -> None:
    end = time.monotonic() + LIMIT
    while text not in bytes(shown[start:]):
        if time.monotonic() > end or not select.select([master], [], [], LIMIT)[0]:
            raise SystemExit(f"{text!r} was never shown; there was {bytes(shown)!r}")
        try:
            octets = os.read(master, 4096)
        except OSError:
            octets = b""
        if not octets:
            raise SystemExit(f"it ended before {text!r}; there was {bytes(shown)!r}")
        shown += octets


def spawn(master: int, terminal: int) -> int:
    # The group is set before the program runs, and the terminal given to it by whoever comes first.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    process = os.fork()
    if process == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.close(master)
        for descriptor in range(3):
            os.dup2(terminal, descriptor)
        os.execv(sys.argv[2], sys.argv[2:])
    return process


def main() -> None:
    signal.alarm(LIMIT)
    steps = json.loads(sys.argv[1])
    # What started the tests may have blocked or ignored signals; a shell would not.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    process = spawn(master, terminal)
    shown = bytearray()
    start = 0
    status = None
    for step in steps:
        if "wait" in step:
            text = step["wait"].encode()
            read_until(master, shown, text, start)
            start = bytes(shown).index(text, start) + len(text)
        elif "type" in step:
            os.write(master, step["type"].encode())
        elif "signal" in step:
            os.kill(process, getattr(signal, step["signal"]))
        elif "stopped" in step:
            _, stopped = os.waitpid(process, os.WUNTRACED)
            if not os.WIFSTOPPED(stopped):
                raise SystemExit(f"it was to be stopped, and ended with {stopped}")
        elif echoes(terminal) != step["echo"]:
            raise SystemExit(f"echo is {echoes(terminal)}")
    while status is None:
        if select.select([master], [], [], 0.01)[0]:
            shown += os.read(master, 4096)
        ended, code = os.waitpid(process, os.WNOHANG)
        if ended:
            status = code
    while select.select([master], [], [], 0)[0]:
        shown += os.read(master, 4096)
    print(json.dumps({
        "shown": shown.decode("utf-8", "replace"),
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "echo": echoes(terminal),
    }))


main()
