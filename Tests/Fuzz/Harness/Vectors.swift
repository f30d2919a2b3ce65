import Foundation
import SecureMemory
import VaultCrypto
import WireCoding

/// The published vectors: their texts by path, names of members and places in lists between dots.
struct Vectors: Sendable {
  static let aliro = Vectors("aliro-vectors.json")
  static let documents = Vectors("documents/documents.json")
  static let certificates = Vectors("reader-ca-certificates.json")

  private let texts: [String: String]

  private init(_ name: String) {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Vectors")
    do {
      let data = try Data(contentsOf: folder.appending(path: name))
      texts = Self.texts(try JSONSerialization.jsonObject(with: data), at: "")
    } catch {
      fatalError("the vectors cannot be read: \(error)")
    }
  }

  private static func texts(_ value: Any, at path: String) -> [String: String] {
    if let text = value as? String { return [path: text] }
    let list = (value as? [Any])?.enumerated().map { ("\($0.offset)", $0.element) }
    let members = list ?? (value as? [String: Any])?.map { ($0.key, $0.value) } ?? []
    return members.reduce(into: [:]) { found, member in
      let inner = texts(member.1, at: path.isEmpty ? member.0 : "\(path).\(member.0)")
      found.merge(inner) { first, _ in first }
    }
  }

  /// The octets that stand at a path; ends the process when there are none.
  func octets(_ path: String) -> [UInt8] {
    guard let text = texts[path], let octets = try? Hex.decode(text) else {
      fatalError("there is no vector \(path)")
    }
    return octets
  }

  /// A throw-away private key.
  func key(_ name: String) -> P256PrivateKey {
    do {
      try SecureHeap.start(bytes: 1 << 20)
      return try P256PrivateKey(scalar: SecretBytes(copying: octets("privateKeys.\(name)").span))
    } catch {
      fatalError("the key \(name) cannot be used: \(error)")
    }
  }

  /// A point, of whatever key has that name.
  func point(_ name: String) -> [UInt8] { octets("publicKeys.\(name)") }
}
