import EngineTestSupport
import Foundation
import SecureMemory
import Testing
import WireCoding

@testable import BiqliEngine

/// Things that are in order, for tests of what is done with them.
enum Sample {
  static let app = "biq_mapp_0123456789ABCDEFGHJKMNPQRS"
  static let key = "biqli_mobile_pk_" + String(repeating: "aZ09_-", count: 10) + "abcd"
  static let start = time("2026-01-05T08:00:00Z")

  static func time(_ text: String) -> Timestamp {
    do {
      return try Timestamp(text)
    } catch {
      Issue.record("\(text) is not a time.")
      return .earliest
    }
  }

  static func token(_ letter: Character) -> String {
    "bqmh_" + String(repeating: letter, count: 43)
  }

  static func marker(_ octet: UInt8) throws -> BiqliMarker {
    try BiqliMarker([UInt8](repeating: octet, count: 16))
  }

  static func record(marker octet: UInt8 = 1) throws -> BiqliRecord {
    try BiqliRecord.open(
      nil, marker: marker(octet), appID: BiqliAppID(app), publishableKey: nil
    ).record
  }

  static func fields(
    allowed: Bool = false, domain: String? = nil, appVersion: String? = "1.2"
  ) throws -> BiqliRequestFields {
    try BiqliRequestFields(
      platform: .ios, isProbabilisticAllowed: allowed, domain: domain.map { try BiqliDomain($0) },
      appVersion: appVersion, osVersion: "19.1", sdkVersion: "1.0.0")
  }

  static func random(_ octet: UInt8) -> BiqliRandom {
    BiqliRandom(
      instance: .init(repeating: octet), event: .init(repeating: octet ^ 0x55),
      request: .init(repeating: octet ^ 0xAA))
  }

  /// A response body.
  static func response(
    matchedBy: String = "none", receipt: String? = #""r-1""#, more: String = ""
  ) -> String {
    let confidence = matchedBy == "none" ? "none" : "exact"
    let member = receipt.map { #","attributionReceipt":\#($0)"# } ?? ""
    return
      #"{"open":{"id":"o1","firstOpen":true,"matchedBy":"\#(matchedBy)","#
      + #""confidence":"\#(confidence)"},"click":null,"link":null,"attribution":null\#(member),"#
      + #""requestId":"q1"\#(more)}"#
  }

  /// The result in a response body.
  static func result(matchedBy: String = "none", more: String = "") throws -> BiqliResult {
    try answer(response(matchedBy: matchedBy, more: more)).result
  }
}

/// Takes a response body apart; views and move-only values cannot be handed on inside `#expect`.
func answer(_ text: String) throws -> (result: BiqliResult, receipt: String?) {
  let octets = Array(text.utf8)
  let answer = try BiqliAnswer(octets.span)
  return (
    answer.result, answer.receipt.map { String(decoding: copy($0.bytes), as: UTF8.self) }
  )
}

func copy(_ secret: borrowing SecretBytes) -> [UInt8] {
  secret.withBytes { octets in octets.indices.map { octets[$0] } }
}

func decode(_ octets: [UInt8]) throws -> BiqliRecord { try BiqliRecord(encoded: octets.span) }

extension BiqliResult {
  var text: String { String(decoding: json, as: UTF8.self) }
}

extension BiqliPendingRequest {
  var text: String { body.text }
}

extension BiqliSecret {
  var text: String { String(decoding: copy(bytes), as: UTF8.self) }
}

extension BiqliDeepLink {
  init(_ text: String, field: String = "link") throws(BiqliError) {
    try self.init(text.utf8.span, field: field)
  }

  var text: String { secret.text }
}

extension BiqliHandoffToken {
  init(_ text: String, field: String = "token") throws(BiqliError) {
    try self.init(text.utf8.span, field: field)
  }

  var text: String { secret.text }
}

extension BiqliRecord {
  /// The stored form, as ordinary octets.
  func octets() throws -> [UInt8] { copy(try encode()) }
}

extension Timestamp {
  /// The time so many seconds later.
  static func + (time: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(clamping: time.seconds + seconds)
  }
}

extension [UInt8] {
  var hex: String { map { String(format: "%02x", $0) }.joined() }
}

extension FixedGenerator {
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func any<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}
