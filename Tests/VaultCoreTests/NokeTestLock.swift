import AccessPolicy
import Foundation
import NokeEngine
import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// The published vectors, whose packets were checked against the vendor's own cipher.
struct NokeVectors: Decodable {
  struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let offlineKey: String
    let unlockCommand: String
    let session: String
    let timestamp: Int64
    let embedTimestamp: Bool
    let packet: String
    let batteryMillivolts: Int

    var testDescription: String { name }

    var pair: SharedNokePair {
      get throws {
        let (key, command) = (Array(offlineKey.utf8), Array(unlockCommand.utf8))
        return SharedNokePair(
          try NokePair(offlineKeyDigits: key.span, unlockCommandDigits: command.span))
      }
    }
  }

  let vectors: [Vector]

  static let all: [Vector] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/noke-vectors.json")
    guard let data = try? Data(contentsOf: path),
      let vectors = try? JSONDecoder().decode(NokeVectors.self, from: data)
    else {
      Issue.record("The vectors cannot be read.")
      return []
    }
    return vectors.vectors
  }()
}

/// A pair of a lock, told apart by a number.
struct TestPair {
  let number: UInt8
  var key: [UInt8] { (0..<16).map { number &* 31 &+ $0 } }
  var command: [UInt8] { (0..<20).map { number &* 17 &+ $0 } }

  init(_ number: UInt8) { self.number = number }

  var shared: SharedNokePair {
    get throws {
      SharedNokePair(
        try NokePair(
          offlineKey: SecretBytes(copying: key.span),
          unlockCommand: SecretBytes(copying: command.span)))
    }
  }

  /// The packet it makes; that the engine makes it right is for the engine's tests.
  func packet(_ session: NokeSession, time: Int64? = nil) throws -> NokePacket {
    try NokePacket.make(
      pair: shared.pair, session: session, embedding: time.map { Timestamp(clamping: $0) })
  }
}

extension NokeSession {
  /// A session, told apart by a number.
  static func number(_ number: Int) throws -> NokeSession {
    try NokeSession(
      "0000040b" + String(format: "%08x", number) + String(repeating: "5a", count: 12))
  }
}

extension NokeResponse {
  /// A response for the app that begins with these octets behind the destination.
  static func result(_ octets: [UInt8]) throws -> NokeResponse {
    let all = [0x51] + octets + [UInt8](repeating: 0, count: 19 - octets.count)
    return try NokeResponse(Hex.encode(all.span))
  }

  static var success: NokeResponse { get throws { try result([0x60, 1]) } }
  static var wrongKey: NokeResponse { get throws { try result([0x61]) } }
}

extension CommitTestVault {
  func mac(_ text: String = "CB:BC:87:3B:CB:D7") throws -> NokeMAC { try NokeMAC(text) }

  /// A namespace with one pair of a lock.
  @discardableResult
  func lock(_ name: String, _ pair: TestPair = TestPair(1)) throws -> Numbered<NokeStored> {
    try create(name)
    return try storeNoke(pair, name)
  }

  /// Makes a namespace.
  func create(_ name: String) throws {
    let _: Created = try ask {
      worker.createNamespace(try NamespaceName(name), by: Self.subject, $0)
    }
  }

  private typealias Created = Numbered<(entry: NamespaceEntry, isNew: Bool)>

  @discardableResult
  func storeNoke(
    _ pair: TestPair, _ name: String = "door", mac: NokeMAC? = nil,
    validity: NokeValidity = .always, environment: NokeEnvironment = .production
  ) throws -> Numbered<NokeStored> {
    let grant = NokeGrant(
      mac: try mac ?? self.mac(), pair: try pair.shared, environment: environment,
      validity: validity)
    return try ask { worker.storeNoke(grant, try NamespaceName(name), by: Self.subject, $0) }
  }

  @discardableResult
  func unlock(
    _ session: Int, _ name: String = "door", mac: NokeMAC? = nil, embedsTime: Bool = false,
    role: NokeRole? = nil, request: String? = nil, user: UInt32 = 1000
  ) throws -> Numbered<NokeUnlocking> {
    let request = NokeUnlockRequest(
      session: try .number(session), embedsTime: embedsTime, role: role, identifier: request)
    let subject = AuditEntry.Subject(Caller(uid: user, gid: 1000, groups: [], pid: 42))
    return try ask {
      worker.unlockNoke(
        request, try mac ?? self.mac(), try NamespaceName(name), by: subject, $0)
    }
  }

  @discardableResult
  func report(
    _ response: NokeResponse, of session: Int, _ name: String = "door"
  ) throws -> Numbered<NokeReported> {
    try ask {
      worker.reportNoke(
        response, of: try .number(session), try mac(), try NamespaceName(name), by: Self.subject,
        $0)
    }
  }

  @discardableResult
  func promote(_ name: String = "door") throws -> Numbered<NokeRotated> {
    try ask { worker.promoteNoke(try mac(), try NamespaceName(name), by: Self.subject, $0) }
  }

  @discardableResult
  func demote(_ name: String = "door") throws -> Numbered<NokeRotated> {
    try ask { worker.demoteNoke(try mac(), try NamespaceName(name), by: Self.subject, $0) }
  }

  @discardableResult
  func deleteNoke(_ name: String = "door") throws -> Numbered<Bool> {
    try ask { worker.deleteNoke(try mac(), try NamespaceName(name), by: Self.subject, $0) }
  }

  func describeNoke(_ name: String = "door") throws -> NokeDescription {
    let described: Numbered<NokeDescription> = try ask {
      worker.describeNoke(try mac(), try NamespaceName(name), by: Self.subject, $0)
    }
    return described.value
  }

  /// The numbers of the pairs: active, pending, former.
  func pairs(_ name: String = "door") throws -> [String] {
    try describeNoke(name).pairs.map {
      "\($0.role) \($0.generation)" + ($0.isStale ? " stale" : "")
    }
  }

  func listNoke(_ name: String = "door") throws -> [NokeMAC] {
    let listed: Numbered<[NokeMAC]> = try ask {
      worker.listNoke(try NamespaceName(name), by: Self.subject, $0)
    }
    return listed.value
  }
}
