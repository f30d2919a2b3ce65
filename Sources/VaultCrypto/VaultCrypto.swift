// VaultCrypto
