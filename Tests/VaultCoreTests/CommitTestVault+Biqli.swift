import BiqliEngine
import Foundation
import SecureMemory
import Testing
import WireCoding

@testable import VaultCore

/// What tests put into the state of an installation.
enum TestBiqli {
  static let app = "biq_mapp_0123456789ABCDEFGHJKMNPQRS"
  static let key = "biqli_mobile_pk_" + String(repeating: "k", count: 64)

  static func token(_ letter: Character) -> String {
    "bqmh_" + String(repeating: letter, count: 43)
  }

  static func link(_ path: String) -> String { "https://links.example/" + path }

  static func fields(allowed: Bool = true) throws -> BiqliRequestFields {
    try BiqliRequestFields(
      platform: .ios, isProbabilisticAllowed: allowed, domain: nil, appVersion: "1",
      osVersion: "19", sdkVersion: "1.0.0")
  }

  /// A response of the service.
  static func response(_ matchedBy: String, receipt: String? = nil) -> String {
    let member = receipt.map { #","attributionReceipt":"\#($0)""# } ?? ""
    return #"{"open":{"id":"o","firstOpen":true,"matchedBy":"\#(matchedBy)","confidence":"none"}"#
      + #","click":{"id":"c"\#(member)}\#(member),"requestId":"q"}"#
  }

  static func answer(_ matchedBy: String, receipt: String? = nil) throws -> BiqliAnswer {
    let text = Array(response(matchedBy, receipt: receipt).utf8)
    return try BiqliAnswer(text.span)
  }

  static func text(_ receipt: BiqliReceipt?) -> String? {
    receipt.map { String(decoding: octets($0.bytes), as: UTF8.self) }
  }

  static func text(_ secret: BiqliSecret) -> String {
    String(decoding: octets(secret.bytes), as: UTF8.self)
  }

  static func octets(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  /// A request as what it has in its body.
  static func body(_ request: BiqliPendingRequest) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(octets(request.body.bytes)))
    return try #require(object as? [String: Any])
  }
}

extension CommitTestVault {
  /// A namespace whose state is open.
  @discardableResult
  func installation(_ name: String, marker: UInt8 = 1) throws -> BiqliOpening {
    let _: Numbered<(entry: NamespaceEntry, isNew: Bool)> = try ask {
      worker.createNamespace(try NamespaceName(name), by: Self.subject, $0)
    }
    return try openBiqli(name, marker: marker).value.opening
  }

  @discardableResult
  func openBiqli(
    _ name: String, marker: UInt8 = 1, app: String = TestBiqli.app, key: String? = nil
  ) throws -> Numbered<(opening: BiqliOpening, publishableKey: BiqliPublishableKey?)> {
    try ask {
      worker.openBiqli(
        try NamespaceName(name), marker: try BiqliMarker([UInt8](repeating: marker, count: 16)),
        appID: try BiqliAppID(app), publishableKey: try key.map { try BiqliPublishableKey($0) },
        by: Self.subject, $0)
    }
  }

  func biqliInstance(_ name: String) throws -> String {
    let found: Numbered<BiqliInstanceID> = try ask {
      worker.biqliInstance(try NamespaceName(name), by: Self.subject, $0)
    }
    return found.value.description
  }

  @discardableResult
  func capture(link: String, _ name: String) throws -> Bool {
    try ask {
      worker.captureBiqli(
        try BiqliDeepLink(link.utf8.span), try NamespaceName(name), by: Self.subject, $0)
    }.value
  }

  @discardableResult
  func capture(token: String, _ name: String) throws -> Bool {
    try ask {
      worker.captureBiqli(
        try BiqliHandoffToken(token.utf8.span), try NamespaceName(name), by: Self.subject, $0)
    }.value
  }

  @discardableResult
  func begin(_ name: String, allowed: Bool = true) throws -> BiqliBegun {
    try ask {
      worker.beginBiqli(
        try TestBiqli.fields(allowed: allowed), try NamespaceName(name), by: Self.subject, $0)
    }.value
  }

  @discardableResult
  func complete(
    _ event: BiqliEventID, _ name: String, _ matchedBy: String = "none", receipt: String? = nil
  ) throws -> (report: BiqliCompletionReport, receipt: String?) {
    let completion: Numbered<BiqliCompletion> = try ask {
      worker.completeBiqli(
        event, with: try TestBiqli.answer(matchedBy, receipt: receipt), try NamespaceName(name),
        by: Self.subject, $0)
    }
    return (completion.value.report, TestBiqli.text(completion.value.receipt))
  }

  @discardableResult
  func fail(
    _ event: BiqliEventID, _ name: String, status: Int? = nil, code: String? = nil
  ) throws -> BiqliFailureReport {
    try ask {
      worker.failBiqli(
        event, try BiqliFailure(status: status, code: code), try NamespaceName(name),
        by: Self.subject, $0)
    }.value
  }

  @discardableResult
  func cachedBiqli(_ name: String) throws -> String? {
    let found: Numbered<BiqliResult?> = try ask {
      worker.cachedBiqli(try NamespaceName(name), by: Self.subject, $0)
    }
    return found.value.map { String(decoding: $0.json, as: UTF8.self) }
  }

  @discardableResult
  func biqliWindow(_ name: String) throws -> BiqliWindow {
    try ask { worker.biqliWindow(try NamespaceName(name), by: Self.subject, $0) }.value
  }

  @discardableResult
  func pendingBiqli(_ name: String) throws -> BiqliWaiting? {
    let found: Numbered<BiqliWaiting?> = try ask {
      worker.pendingBiqli(try NamespaceName(name), by: Self.subject, $0)
    }
    return found.value
  }

  @discardableResult
  func dropBiqli(_ event: BiqliEventID, _ name: String) throws -> Numbered<Bool> {
    try ask { worker.dropBiqli(event, try NamespaceName(name), by: Self.subject, $0) }
  }

  @discardableResult
  func resetBiqli(_ name: String) throws -> Numbered<Bool> {
    try ask { worker.resetBiqli(try NamespaceName(name), by: Self.subject, $0) }
  }

  /// The state as it is stored, read past the operations.
  func storedBiqli(_ name: String) throws -> BiqliRecord? {
    let name = try NamespaceName(name)
    let octets = try LedgerReader(vault.ledger).read { snapshot throws(LedgerError) -> [UInt8]? in
      guard let entry = try snapshot.namespace(named: name) else { return nil }
      guard let content = try snapshot.contents(of: entry).open(.biqli, "state") else { return nil }
      return content.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
    guard let octets else { return nil }
    return try BiqliRecord(encoded: octets.span)
  }
}
