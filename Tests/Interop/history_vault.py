"""A throw-away vault whose daemon can be killed and started again, whoever its clients are."""

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import List, Optional, Tuple

from vault_client import VaultClient, VaultError, WireError, base64_text

PATIENCE = 60.0


class VaultFailure(Exception):
    """The vault did not do what the test takes for granted."""


class DisposableVault:
    """`endings` are the times from a signal until the daemon served again, on the shared clock."""

    def __init__(self, binaries: Path, directory: Path, users: List[int]):
        self.binaries, self.directory = binaries, directory
        self.data, self.key_file = directory / "data", directory / "key"
        self.sockets = {endpoint: str(directory / "run" / endpoint / "vault.sock")
                        for endpoint in ("client", "admin")}
        self.endings: List[Tuple[int, int]] = []
        self.starts = 0
        self._daemon: Optional[subprocess.Popen] = None
        self._ending: Optional[int] = None
        # Other users have to get to the sockets.
        directory.chmod(0o755)
        self.control("init", "--data", str(self.data), "--key-file", str(self.key_file),
                     "--no-recovery", "--admin", f"user:{os.geteuid()}")
        # Small segments, so that there are ends of segments among what is interrupted. Who may
        # connect while the vault is sealed stands here.
        (directory / "vaultd.conf").write_text("audit-segment-size = 256KiB\n" + "".join(
            f"allow-uid = {user}\n" for user in users if user != os.geteuid()))

    def control(self, *arguments: str) -> str:
        """What `vaultctl` says; any other end than a good one is an error."""
        found = subprocess.run([str(self.binaries / "vaultctl"), *arguments],
                               capture_output=True, text=True, check=False)
        if found.returncode:
            raise VaultFailure(f"vaultctl {' '.join(arguments)} ended with {found.returncode}: "
                               f"{found.stdout}{found.stderr}")
        return found.stdout

    def start(self, unsealed: bool) -> None:
        command = [str(self.binaries / "vaultd"), "--data", str(self.data),
                   "--runtime", str(self.directory / "run"),
                   "--config", str(self.directory / "vaultd.conf")]
        command += ["--allow-root"] if os.geteuid() == 0 else []
        command += ["--key-file", str(self.key_file)] if unsealed else []
        with open(self.directory / "errors", "ab") as errors:
            self._daemon = subprocess.Popen(command, stderr=errors, stdout=errors)
        self.starts += 1

    def await_service(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with VaultClient(self.sockets["admin"]) as vault:
                    vault.call("health")
                if self._ending is not None:
                    self.endings.append((self._ending, time.monotonic_ns()))
                    self._ending = None
                return
            except (WireError, VaultError):
                self.check_alive()
                time.sleep(0.002)
        raise VaultFailure(f"the daemon does not answer: {self.errors}")

    def check_alive(self) -> None:
        if self._daemon is None or self._daemon.poll() is not None:
            status = self._daemon and self._daemon.returncode
            raise VaultFailure(f"the daemon has ended by itself with {status}: {self.errors}")

    @property
    def errors(self) -> str:
        """The last of what it has said."""
        return (self.directory / "errors").read_text(errors="replace")[-2000:]

    def kill(self) -> None:
        self.check_alive()
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """The orderly end."""
        self.check_alive()
        if status := self._end(signal.SIGTERM):
            raise VaultFailure(f"the daemon ended with {status}: {self.errors}")

    def _end(self, number: signal.Signals) -> int:
        daemon, self._daemon = self._daemon, None
        if self._ending is None:
            self._ending = time.monotonic_ns()
        daemon.send_signal(number)
        return daemon.wait(PATIENCE)

    def abandon(self) -> None:
        """Whatever it is doing, it ends."""
        if self._daemon is not None:
            self._daemon.kill()
            self._daemon.wait()

    def key(self) -> str:
        """What opens it, as `unseal` takes it."""
        return base64_text(bytes.fromhex(self.key_file.read_text().split()[1]))
