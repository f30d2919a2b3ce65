"""The connection-oriented channel to a reader: one message per SDU.

Any socket that keeps the boundaries of what is sent will do: Bluetooth's, or one end of a
`SOCK_SEQPACKET` pair.
"""

import ctypes
import errno
import os
import select
import socket
import struct

from .outcome import Exit, Failure
from .vault import MESSAGE_LIMIT

# Not every build of Python has these names, and the numbers are the kernel's anyway.
AF_BLUETOOTH = getattr(socket, "AF_BLUETOOTH", 31)
BTPROTO_L2CAP = 0
ADDRESS_TYPES = {"public": 1, "random": 2}    # BDADDR_LE_PUBLIC, BDADDR_LE_RANDOM
ANY_ADDRESS = "00:00:00:00:00:00"


class Channel:
    def __init__(self, connection: socket.socket):
        self._connection = connection

    def send(self, message: bytes, timeout: float) -> None:
        try:
            self._set_timeout(timeout)
            sent = self._connection.send(message)
        except TimeoutError as error:
            raise Failure(Exit.SILENT, "the reader takes no more messages") from error
        except OSError as error:
            if error.errno == errno.EMSGSIZE:
                raise Failure(Exit.UNDECIDED, f"a message of {len(message)} octets is larger "
                                              "than the reader's SDUs") from error
            raise _gone(error) from error
        if sent != len(message):
            raise Failure(Exit.UNDECIDED, f"only {sent} of {len(message)} octets were sent")

    def receive(self, timeout: float) -> bytes:
        """The next message. Whether it makes sense is for the vault to say."""
        try:
            self._set_timeout(timeout)
            # One octet more than is allowed tells a message of the largest size from a longer one.
            message = self._connection.recv(MESSAGE_LIMIT + 1)
        except TimeoutError as error:
            raise Failure(Exit.SILENT, f"no message of the reader in {timeout:g} s") from error
        except OSError as error:
            raise _gone(error) from error
        if not message:
            raise Failure(Exit.UNDECIDED, "the reader closed the channel")
        if len(message) > MESSAGE_LIMIT:
            raise Failure(Exit.REFUSED, f"the reader sent more than {MESSAGE_LIMIT} octets "
                                        "in one message")
        return message

    def close(self) -> None:
        self._connection.close()

    def _set_timeout(self, timeout: float) -> None:
        # Zero would make the socket one that never waits, whose errors are others.
        self._connection.settimeout(max(timeout, 0.001))


def _gone(error: OSError) -> Failure:
    return Failure(Exit.UNDECIDED, f"the channel to the reader broke: {error.strerror or error}")


def l2cap_address(address: str, address_type: str, spsm: int) -> bytes:
    """The kernel's `struct sockaddr_l2`, which Python cannot say with an LE address type.

    Family in the machine's order; PSM, address and CID little-endian; then the address type, and
    one octet that fills the last 16 bits.
    """
    reversed_octets = bytes.fromhex(address.replace(":", ""))[::-1]
    return struct.pack("=H", AF_BLUETOOTH) + struct.pack(
        "<H6sHBx", spsm, reversed_octets, 0, ADDRESS_TYPES[address_type])


def open_l2cap(address: str, address_type: str, spsm: int, local: tuple,
               timeout: float) -> Channel:
    """An LE credit-based channel to a reader. `local` is the adapter's address and its type.

    Binding comes first: it is the type of the local address that makes the socket an LE one.
    """
    try:
        connection = socket.socket(AF_BLUETOOTH, socket.SOCK_SEQPACKET, BTPROTO_L2CAP)
    except OSError as error:
        raise Failure(Exit.UNAVAILABLE, "this machine has no Bluetooth sockets: "
                                        f"{error.strerror}") from error
    try:
        call_with_address("bind", connection, l2cap_address(*local, 0))
        connect(connection, l2cap_address(address, address_type, spsm), timeout)
    except OSError as error:
        connection.close()
        raise Failure(Exit.UNREACHED, f"cannot open channel {spsm:04x} to {address}: "
                                      f"{error.strerror or error}") from error
    return Channel(connection)


def connect(connection: socket.socket, address: bytes, timeout: float) -> None:
    """`connect` with an address as the kernel wants it; `OSError` when it fails."""
    connection.setblocking(False)
    try:
        call_with_address("connect", connection, address)
        return
    except BlockingIOError:
        pass
    poll = select.poll()
    poll.register(connection, select.POLLOUT)
    if not poll.poll(timeout * 1000):
        raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
    failure = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if failure:
        raise OSError(failure, os.strerror(failure))


def call_with_address(name: str, connection: socket.socket, address: bytes) -> None:
    """`bind` or `connect` of the C library; `OSError` with the number it sets."""
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(connection.fileno(), address, len(address)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
