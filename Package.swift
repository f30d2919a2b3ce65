// swift-tools-version: 6.3
import PackageDescription

// A target may use what stands above it, never what stands below.
let package = Package(
  name: "latchkey",
  products: [
    .executable(name: "vaultd", targets: ["vaultd"]),
    .executable(name: "vaultctl", targets: ["vaultctl"]),
    .executable(name: "vaultbench", targets: ["vaultbench"]),
  ],
  targets: [
    // The C libraries, and the few system calls and macros that Swift cannot reach by itself.
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCBOR", pkgConfig: "libcbor", providers: [.apt(["libcbor-dev"])]),
    // Whether the kernel's clock is synchronised.
    .systemLibrary(name: "CTimex"),
    .target(name: "CVaultSystem"),

    .target(
      name: "VaultSchema", path: "Schema",
      resources: [.embedInCode("vault.openrpc.json"), .embedInCode("sql")]),
    .target(name: "SecureMemory", dependencies: ["CSodium", "CVaultSystem"]),
    // Readers that borrow their input store a span; the initialisers name that lifetime.
    .target(
      name: "WireCoding", dependencies: ["SecureMemory"],
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    .target(
      name: "VaultCrypto", dependencies: ["SecureMemory", "WireCoding", "CSodium", "COpenSSL"]),
    .target(
      name: "AliroEngine", dependencies: ["SecureMemory", "WireCoding", "VaultCrypto", "CCBOR"]),
    // Offline unlocking of Nokē locks.
    .target(name: "NokeEngine", dependencies: ["SecureMemory", "WireCoding", "VaultCrypto"]),
    // What is said to flinkey boxes, and what they say.
    .target(name: "FlinkeyEngine", dependencies: ["SecureMemory", "WireCoding"]),
    // What an installation of an app keeps for Biqli.
    .target(name: "BiqliEngine", dependencies: ["SecureMemory", "WireCoding", "VaultCrypto"]),
    // The other side of Aliro: a lock and an issuer with throw-away keys.
    .target(
      name: "SimulatedReader",
      dependencies: ["SecureMemory", "WireCoding", "VaultCrypto", "AliroEngine"]),
    // Who may do what: the language of the policy, and its decisions.
    .target(name: "AccessPolicy", dependencies: ["WireCoding"]),
    .target(name: "VaultStore", dependencies: ["CSQLite", "CVaultSystem", "VaultSchema"]),
    .target(
      name: "VaultCore",
      dependencies: [
        "SecureMemory", "WireCoding", "VaultCrypto", "AliroEngine", "NokeEngine", "BiqliEngine",
        "FlinkeyEngine", "AccessPolicy", "VaultStore", "CVaultSystem",
        "CTimex",
      ]),
    .target(name: "VaultAPI", dependencies: ["SecureMemory", "WireCoding", "VaultSchema"]),
    .target(name: "CommandLineOptions"),
    .target(name: "ProcessHardening", dependencies: ["CVaultSystem"]),
    .target(
      name: "VaultServer",
      dependencies: [
        "SecureMemory", "WireCoding", "VaultCrypto", "AliroEngine", "NokeEngine", "BiqliEngine",
        "FlinkeyEngine", "AccessPolicy", "VaultAPI", "VaultCore", "CVaultSystem",
      ]),
    .target(
      name: "VaultClient", dependencies: ["SecureMemory", "WireCoding", "VaultAPI", "CVaultSystem"]),
    .executableTarget(
      name: "vaultd",
      dependencies: [
        "CommandLineOptions", "ProcessHardening", "SecureMemory", "VaultCrypto", "VaultStore",
        "VaultCore", "VaultServer",
      ]),
    .executableTarget(
      name: "vaultctl",
      dependencies: [
        "CommandLineOptions", "ProcessHardening", "SecureMemory", "WireCoding", "VaultCrypto",
        "VaultStore", "AccessPolicy", "VaultCore", "VaultAPI", "VaultClient", "SimulatedReader",
      ]),

    // Measures the other two, and OpenSSL beside them.
    .executableTarget(
      name: "vaultbench",
      dependencies: [
        "CommandLineOptions", "COpenSSL", "CVaultSystem", "SimulatedReader", "VaultAPI",
        "VaultClient", "VaultCore", "VaultCrypto", "WireCoding",
      ]),

    // A recording, failing disk for tests: a SQLite VFS and the model of what a crash leaves.
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    .target(
      name: "DiskFaults", dependencies: ["CFaultVFS", "VaultStore"], path: "Tests/DiskFaults"),
    // A service that does what its lines say, in the tests' process and in one of its own.
    .target(
      name: "VaultServerTestSupport", dependencies: ["VaultServer", "AccessPolicy", "WireCoding"],
      path: "Tests/VaultServerTestSupport"),
    .executableTarget(
      name: "server-test-daemon",
      dependencies: ["ProcessHardening", "VaultServer", "VaultServerTestSupport"],
      path: "Tests/ServerTestDaemon"),

    // What the tests of several formats share: numbers by chance, and programs that know better.
    .target(name: "EngineTestSupport", path: "Tests/EngineTestSupport"),

    .testTarget(name: "SecureMemoryTests", dependencies: ["SecureMemory"]),
    .testTarget(
      name: "WireCodingTests", dependencies: ["WireCoding", "SecureMemory", "EngineTestSupport"]),
    .testTarget(
      name: "VaultCryptoTests", dependencies: ["SecureMemory", "VaultCrypto", "COpenSSL"]),
    .testTarget(
      name: "AliroEngineTests",
      dependencies: [
        "AliroEngine", "SimulatedReader", "VaultCrypto", "SecureMemory", "WireCoding",
        "EngineTestSupport",
      ]),
    .testTarget(
      name: "NokeEngineTests",
      dependencies: [
        "NokeEngine", "VaultCrypto", "SecureMemory", "WireCoding", "EngineTestSupport",
      ]),
    .testTarget(
      name: "BiqliEngineTests",
      dependencies: ["BiqliEngine", "SecureMemory", "WireCoding", "EngineTestSupport"]),
    .testTarget(
      name: "FlinkeyEngineTests",
      dependencies: ["FlinkeyEngine", "SecureMemory", "WireCoding", "EngineTestSupport"]),
    .testTarget(
      name: "AccessPolicyTests", dependencies: ["AccessPolicy", "WireCoding", "EngineTestSupport"]),
    .testTarget(
      name: "VaultStoreTests",
      dependencies: ["VaultStore", "VaultSchema", "CSQLite", "DiskFaults"]),
    .testTarget(
      name: "VaultCoreTests",
      dependencies: [
        "VaultCore", "VaultStore", "VaultCrypto", "AliroEngine", "NokeEngine", "BiqliEngine",
        "FlinkeyEngine", "AccessPolicy", "WireCoding", "SecureMemory", "DiskFaults", "CFaultVFS",
      ]),
    .testTarget(
      name: "VaultAPITests",
      dependencies: ["VaultAPI", "WireCoding", "SecureMemory", "VaultSchema"]),
    .testTarget(
      name: "VaultServerTests",
      dependencies: [
        "VaultServer", "VaultServerTestSupport", "VaultCore", "VaultCrypto", "VaultAPI",
        "AccessPolicy", "ProcessHardening", "SecureMemory", "WireCoding", "server-test-daemon",
        "vaultd",
      ]),
    .testTarget(name: "CommandLineOptionsTests", dependencies: ["CommandLineOptions"]),
    .testTarget(
      name: "VaultClientTests",
      dependencies: ["VaultClient", "VaultAPI", "WireCoding", "SecureMemory"]),
    .testTarget(
      name: "VaultctlTests",
      dependencies: [
        "vaultctl", "vaultd", "CommandLineOptions", "VaultClient", "VaultAPI", "VaultCore",
        "VaultServer", "VaultStore", "VaultCrypto", "SecureMemory", "WireCoding",
      ],
      exclude: ["Scenarios", "Support/terminal.py"]),
    // Fuzz targets: an executable of its own, run for long by tools/fuzz, briefly by the tests.
    .executableTarget(
      name: "vaultfuzz",
      dependencies: [
        "SecureMemory", "WireCoding", "VaultCrypto", "AliroEngine", "NokeEngine", "FlinkeyEngine",
        "BiqliEngine", "AccessPolicy", "VaultStore", "VaultCore", "VaultAPI", "VaultServer",
      ],
      path: "Tests/Fuzz", exclude: ["Corpus"]),
    .testTarget(name: "FuzzTests", dependencies: ["vaultfuzz"]),
    // Starts the built binaries; the libraries are for opening a copy of a vault.
    .testTarget(
      name: "VaultIntegrationTests",
      dependencies: [
        "vaultd", "vaultctl", "vaultbench", "VaultCore", "VaultStore", "VaultCrypto", "WireCoding",
        "SecureMemory",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .strictMemorySafety(),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .treatAllWarnings(as: .error),
    ]
}
