"""An Aliro reader for tests, written from the protocol notes alone.

It shares no code with the vault's engine: agreement between the two is evidence.
"""

from .reader import Reader, ReaderConfig, ReaderError

__all__ = ["Reader", "ReaderConfig", "ReaderError"]
