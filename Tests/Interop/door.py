"""A throw-away door: issuer and reader keys, the pass for a credential, and its reader."""

from datetime import datetime, timedelta, timezone
from typing import Optional

from aliro_reader import certificate, crypto, document, passes
from aliro_reader.reader import ReaderConfig


class Door:
    """One reader group whose trusted key is a CA.

    The `direct` variant signs with that key itself: the pass record has the same shape
    for both, so one pass serves all variants.
    """

    def __init__(self) -> None:
        self.issuer = crypto.new_key()
        self.trusted = crypto.new_key()
        self.certified = crypto.new_key()
        self.reader_identifier = crypto.random_octets(32)
        self.resolving_key = crypto.random_octets(16)

    @property
    def group_identifier(self) -> bytes:
        return self.reader_identifier[:16]

    def certificate(self, **fields) -> bytes:
        point = crypto.point_of(self.certified)
        return certificate.issue(self.trusted, point, **fields).compressed()

    def unlock_pass(self, credential: bytes, valid_from: datetime, valid_until: datetime,
                    elements: Optional[dict] = None, revocation: bool = False,
                    mailbox: Optional[dict] = None, resolving: bool = False,
                    names_issuer: bool = False) -> dict:
        """`elements` are the access elements by name; the rest are the optional pass fields."""
        point = crypto.point_of(self.issuer)
        issued = document.issue_access_document(
            credential, self.issuer, valid_from, valid_until, elements=elements)
        # What the vault stores is what a reader would later see: check our own work first.
        document.check_access_document(issued, point, credential)
        revoked = document.issue_revocation_document(
            self.issuer, valid_from, valid_until) if revocation else None
        if revoked:
            document.check_revocation_document(revoked, point)
        group = passes.group_trust(
            self.group_identifier, self.trusted, self.resolving_key if resolving else None)
        return passes.unlock_pass(issued, [group], revoked, point if names_issuer else None,
                                  mailbox)

    def reader_config(self, credential: bytes, valid_from: Optional[datetime],
                      variant: str = "direct", **options) -> ReaderConfig:
        return ReaderConfig(
            reader_identifier=self.reader_identifier,
            group_key=crypto.point_of(self.trusted),
            signing_key=self.trusted if variant == "direct" else self.certified,
            credential=credential, variant=variant,
            certificate=options.pop("certificate", None) or self.certificate(),
            signed_time=document.time_text(valid_from) if valid_from else None, **options)


def usual_validity() -> tuple:
    """From a little in the past, for clocks that disagree, to a week ahead."""
    now = datetime.now(timezone.utc).replace(microsecond=0)
    return now - timedelta(minutes=5), now + timedelta(days=7)


def mailbox_settings(size: int = 64, **changes: bool) -> dict:
    """A pass's mailbox, which readers may use in every way unless `changes` say otherwise."""
    return {"size": size, "readable": True, "writable": True, "step_up": True, **changes}
