// VaultCore
