import Foundation
import SecureMemory
import Testing
import VaultCrypto

@testable import NokeEngine

/// The published vectors, whose packets were checked against the vendor's own cipher.
struct NokeVectors: Decodable {
  struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let offlineKey: String
    let unlockCommand: String
    let session: String
    let timestamp: Int64
    let embedTimestamp: Bool
    let combinedKey: String
    let plainBody: String
    let checksum: UInt8
    let packet: String
    let batteryMillivolts: Int

    var testDescription: String { name }
  }

  struct InvalidInput: Decodable, Sendable, CustomTestStringConvertible {
    let field: String
    let value: String
    let reason: String

    var testDescription: String { "\(field): \(reason)" }
  }

  let vectors: [Vector]
  let invalidInputs: [InvalidInput]

  static let all: NokeVectors = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/noke-vectors.json")
    guard let data = try? Data(contentsOf: path),
      let vectors = try? JSONDecoder().decode(NokeVectors.self, from: data)
    else {
      Issue.record("The vectors cannot be read.")
      return NokeVectors(vectors: [], invalidInputs: [])
    }
    return vectors
  }()
}

func octets(_ secret: borrowing SecretBytes) -> [UInt8] {
  secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
}

extension [UInt8] {
  var hex: String { map { String(format: "%02x", $0) }.joined() }
}

/// A pair of digits; views cannot be handed on inside `#expect`.
func pair(_ key: String, _ command: String) throws -> NokePair {
  let (key, command) = (Array(key.utf8), Array(command.utf8))
  return try NokePair(offlineKeyDigits: key.span, unlockCommandDigits: command.span)
}
