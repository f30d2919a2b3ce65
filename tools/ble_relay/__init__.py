"""A reference gateway: carries messages between an Aliro reader and the vault.

It holds no secret and takes no decision. What it knows of Aliro is the radio's part of it
(section 12): which characteristic says what, and one message per SDU.
"""
