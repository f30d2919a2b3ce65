// swift-tools-version: 6.3
import PackageDescription

// Arrows point down only: a target may use what stands above it, never what stands below.
let package = Package(
  name: "latchkey",
  products: [
    .executable(name: "vaultd", targets: ["vaultd"]),
    .executable(name: "vaultctl", targets: ["vaultctl"]),
  ],
  targets: [
    // The C libraries, and the few system calls and macros that Swift cannot reach by itself.
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCBOR", pkgConfig: "libcbor", providers: [.apt(["libcbor-dev"])]),
    .target(name: "CVaultSystem"),

    .target(
      name: "VaultSchema", path: "Schema",
      resources: [.embedInCode("vault.openrpc.json"), .embedInCode("sql")]),
    .target(name: "SecureMemory", dependencies: ["CSodium", "CVaultSystem"]),
    .target(name: "WireCoding", dependencies: ["SecureMemory"]),
    .target(
      name: "VaultCrypto", dependencies: ["SecureMemory", "WireCoding", "CSodium", "COpenSSL"]),
    .target(
      name: "AliroEngine", dependencies: ["SecureMemory", "WireCoding", "VaultCrypto", "CCBOR"]),
    .target(name: "VaultStore", dependencies: ["CSQLite", "CVaultSystem", "VaultSchema"]),
    .target(
      name: "VaultCore",
      dependencies: [
        "SecureMemory", "WireCoding", "VaultCrypto", "AliroEngine", "VaultStore", "CVaultSystem",
      ]),
    .target(name: "VaultAPI", dependencies: ["SecureMemory", "WireCoding", "VaultSchema"]),
    .target(
      name: "VaultServer",
      dependencies: ["SecureMemory", "WireCoding", "VaultAPI", "VaultCore", "CVaultSystem"]),
    .target(
      name: "VaultClient", dependencies: ["SecureMemory", "WireCoding", "VaultAPI", "CVaultSystem"]),
    .executableTarget(name: "vaultd", dependencies: ["VaultServer", "VaultCore"]),
    .executableTarget(name: "vaultctl", dependencies: ["VaultClient", "VaultAPI", "VaultCore"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}
