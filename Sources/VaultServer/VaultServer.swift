// VaultServer
