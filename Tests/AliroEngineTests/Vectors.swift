import Foundation
import SecureMemory
import Testing
import VaultCrypto
import WireCoding

/// The published vectors: a tree of names and hexadecimal text.
@dynamicMemberLookup struct Vector: Sendable, CustomTestStringConvertible {
  nonisolated(unsafe) private let node: Any

  /// The whole file.
  static let all = file("aliro-vectors.json")

  /// Documents, requests and responses that cbor2 and python-cryptography made.
  static let documents = file("documents/documents.json")

  private static func file(_ name: String) -> Vector {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/\(name)")
    guard let data = try? Data(contentsOf: path),
      let json = try? JSONSerialization.jsonObject(with: data)
    else {
      Issue.record("The vectors cannot be read.")
      return Vector(node: [String: Any]())
    }
    return Vector(node: json)
  }

  private init(node: Any) {
    unsafe self.node = node
  }

  subscript(dynamicMember name: String) -> Vector {
    Vector(node: unsafe (node as? [String: Any])?[name] ?? NSNull())
  }

  subscript(_ index: Int) -> Vector { list[index] }

  var list: [Vector] { unsafe (node as? [Any] ?? []).map { Vector(node: $0) } }

  var isMissing: Bool { unsafe node is NSNull }

  var flag: Bool { unsafe node as? Bool ?? false }

  /// The text of a node that is there.
  var text: String {
    guard let text = unsafe node as? String else {
      Issue.record("The vectors lack something.")
      return ""
    }
    return text
  }

  /// The octets that the text stands for.
  var hex: [UInt8] { hexOctets(text) }

  var testDescription: String { self.name.isMissing ? "vector" : self.name.text }
}

/// Hexadecimal text of the tests' own; spaces between octets are passed over.
func hexOctets(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}

/// A private key of the vectors, by name.
func vectorKey(_ name: String) throws -> P256PrivateKey {
  try privateKey(Vector.all.privateKeys[dynamicMember: name].hex)
}

/// A public key of the vectors, by name.
func vectorPoint(_ name: String) throws -> P256PublicKey {
  try point(Vector.all.publicKeys[dynamicMember: name].hex)
}

func privateKey(_ scalar: [UInt8]) throws -> P256PrivateKey {
  _ = secureHeap
  return try P256PrivateKey(scalar: SecretBytes(copying: scalar.span))
}

func point(_ octets: [UInt8]) throws -> P256PublicKey {
  try P256PublicKey(uncompressed: octets.span)
}

/// Started once a process, before the first private key.
let secureHeap: Void = {
  do {
    try SecureHeap.start(bytes: 1 << 20)
  } catch {
    Issue.record("The secure heap does not start: \(error)")
  }
}()

func time(_ text: String) -> Timestamp {
  do {
    return try Timestamp(text)
  } catch {
    Issue.record("\(text) is not a time.")
    return .earliest
  }
}

/// A time at which the vectors' document and certificates hold.
let someDay = time("2026-03-01T12:00:00Z")
