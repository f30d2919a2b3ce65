import AccessPolicy
import Foundation
import NokeEngine
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

@Suite struct AuditFieldTests {
  /// A line in which every field has a value.
  static func full() throws -> AuditLine {
    let caller = Caller(uid: 1000, gid: 1001, groups: [7], pid: 42, unit: "gateway.service")
    var entry = AuditEntry(
      "key.sign", by: AuditEntry.Subject(caller, by: .client, policy: 3),
      namespace: try NamespaceName("tenant-1/door"),
      detailDigest: BLAKE2b.hash([1, 2, 3].span))
    entry.namespaceID = NamespaceID([UInt8](0..<16))
    entry.keyVersion = 5
    entry.code = .forbidden
    entry.reason = .withdrawn
    entry.count = 6
    for kind in [
      DenialKind.forbidden, .malformed, .malformed, .rateLimited, .rateLimited, .rateLimited,
    ] {
      entry.denials.add(DenialCounts(kind))
    }
    entry.lock = try NokeMAC("cbbc873bcbd7")
    entry.reported = try NokeResponse("51610000" + String(repeating: "0", count: 32))
    entry.step = .idToken
    entry.isUserConfirmed = true
    entry.isRestrictive = true
    return AuditLine(
      entry: entry, sequence: 9, time: 1_700_000_500, previous: [UInt8](repeating: 0xAB, count: 32))
  }

  /// The least that a line has.
  static func bare() -> AuditLine {
    AuditLine(
      entry: AuditEntry("test.note", by: .daemon), sequence: 1, time: 0,
      previous: [UInt8](repeating: 0, count: 32))
  }

  /// The names of a line's members, in the order in which they stand there.
  private static func names(of line: [UInt8]) -> [String] {
    String(decoding: line, as: UTF8.self).matches(of: /[{,]"([a-z_]+)":/).map { String($0.1) }
  }

  private static func members(of line: AuditLine) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.octets)) as? [String: Any])
  }

  @Test func `a line has the fields of the table, in its order, and no others`() throws {
    let line = try Self.full()
    #expect(Self.names(of: line.octets) == AuditField.allCases.map(\.name))
    #expect(Set(try Self.members(of: line).keys) == Set(AuditField.allCases.map(\.name)))
    // Whatever is left out, the order stays, and the chain finds `seq` and `prev` at their places.
    #expect(
      Self.names(of: Self.bare().octets) == [
        "seq", "time", "uid", "pid", "method", "outcome", "prev",
      ])
  }

  @Test func `the words of a line are the ones it has always had`() throws {
    #expect(
      String(decoding: try Self.full().octets, as: UTF8.self)
        == #"{"seq":9,"time":"2023-11-14T22:21:40Z","uid":1000,"pid":42,"unit":"gateway.service","#
        + #""endpoint":"client","method":"key.sign","namespace":"tenant-1/door","#
        + #""namespace_id":"000102030405060708090a0b0c0d0e0f","key_version":5,"outcome":"refused","#
        + #""code":"forbidden","reason":"right_withdrawn","policy":3,"count":6,"forbidden":1,"#
        + #""malformed":2,"rate_limited":3,"#
        + #""detail_digest":"11c0e79b71c3976ccd0c02d1310e2516c08edc9d8b6f57ccd680d63a4d8e72da","#
        + #""lock":"CB:BC:87:3B:CB:D7","reported":"wrong_key","#
        + #""step":"id_token","user_confirmed":true,"restrictive":true,"#
        + #""prev":"\#(String(repeating: "ab", count: 32))"}"#)
  }

  @Test(arguments: AuditField.allCases)
  func `a field holds what its class allows`(_ field: AuditField) throws {
    let value = try #require(try Self.members(of: Self.full())[field.name])
    #expect(field.allows(value))
    for foreign in ["a secret", "p\u{E4}ss", "\"", "", "A==", "x\ny"] {
      #expect(!field.allows(foreign), "\(foreign)")
    }
  }

  @Test func `every class is used`() {
    #expect(Set(AuditField.allCases.map(\.redaction)) == Set(AuditField.Redaction.allCases))
  }
}

extension AuditField {
  /// The characters of words, of names of namespaces and of names of units.
  private static let word = Set("abcdefghijklmnopqrstuvwxyz_.")
  private static let name = word.union("0123456789/-")
  private static let unit = name.union("ABCDEFGHIJKLMNOPQRSTUVWXYZ:\\@").subtracting("/")
  private static let digits = Set("0123456789abcdef")

  /// Whether a value of a line, as JSON has it, is one that the field's class lets stand there.
  func allows(_ value: Any) -> Bool {
    let text = value as? String ?? ""
    func consists(of characters: Set<Character>, _ count: ClosedRange<Int>) -> Bool {
      count.contains(text.count) && text.allSatisfy(characters.contains)
    }
    switch redaction {
    case .madeByVault where self == .time: return (try? Timestamp(Array(text.utf8).span)) != nil
    case .madeByVault: return consists(of: Self.digits, 32...32)
    case .kernel, .number: return (value as? Int64).map { $0 >= 0 } ?? false
    case .identifier where self == .unit:
      // Who is logged in has a scope.
      return consists(of: Self.unit, 7...255)
        && (text.hasSuffix(".service") || text.hasSuffix(".scope"))
    case .identifier where self == .lock:
      return text.wholeMatch(of: /([0-9A-F]{2}:){5}[0-9A-F]{2}/) != nil
    case .identifier: return consists(of: Self.name, 1...128)
    case .digest: return consists(of: Self.digits, 64...64)
    case .word where self == .code: return VaultError.Code(rawValue: text) != nil
    case .word where self == .reason: return DenialReason(rawValue: text) != nil
    case .word where self == .endpoint: return Endpoint(rawValue: text) != nil
    case .word: return value as? Bool == true || consists(of: Self.word, 2...32)
    }
  }
}
