import BiqliEngine
import SecureMemory
import VaultCrypto
import WireCoding

extension CommitContext {
  /// The record's identifier: a namespace is one installation of one app, and has one state.
  private static var biqliIdentifier: String { "state" }

  /// Opens the state of an installation, and makes or renews it as its marker says.
  ///
  /// - Returns: how it came about, and the state.
  /// - Throws: `not_found`, `revoked`, `key_unusable` while the namespace is suspended, `conflict` when
  ///   the state is another app's, `damaged`: a state that cannot be read is not made anew.
  func openBiqli(
    _ name: NamespaceName, marker: BiqliMarker, appID: BiqliAppID,
    publishableKey: BiqliPublishableKey?
  ) throws(VaultError) -> (opening: BiqliOpening, state: BiqliRecord) {
    try checkUsable(name)
    let stored = try storedBiqli(of: name)
    do throws(BiqliError) {
      let opened = try BiqliRecord.open(
        stored, marker: marker, appID: appID, publishableKey: publishableKey)
      return (opened.opening, opened.record)
    } catch {
      throw VaultError(error)
    }
  }

  /// Keeps what opening gave; what another installation has left is to be gone from the files as well.
  func keepBiqli(
    _ state: BiqliRecord, after opening: BiqliOpening, in name: NamespaceName
  ) throws(VaultError) {
    guard opening != .unchanged else { return }
    try put(state, in: name)
    if opening == .reset { markErasure() }
  }

  /// Carries out one operation on the state of an installation as the transaction has it, and keeps
  /// what it has changed.
  ///
  /// - Parameters:
  ///   - name: the namespace.
  ///   - isForOperators: whether it is for those who look after the vault, and so works while the
  ///     namespace is suspended.
  ///   - operate: the operation, given the state and the time that counts.
  /// - Returns: what it returns.
  /// - Throws: `not_found`, `revoked`, `key_unusable`, `damaged`, `busy` without locked memory.
  func operateBiqli<Value>(
    _ name: NamespaceName, isForOperators: Bool = false,
    _ operate: (inout BiqliRecord, Timestamp) throws(BiqliError) -> Value
  ) throws(VaultError) -> Value {
    try checkUsable(name, evenSuspended: isForOperators)
    guard let stored = try storedBiqli(of: name) else { throw .biqliMissing }
    var state = stored
    let value: Value
    do { value = try operate(&state, Timestamp(clamping: now)) } catch { throw VaultError(error) }
    if state != stored { try put(state, in: name) }
    return value
  }

  /// Deletes the state of an installation, whether or not it can be read.
  ///
  /// - Returns: whether there was one.
  func resetBiqli(_ name: NamespaceName) throws(VaultError) -> Bool {
    try checkUsable(name, evenSuspended: true)
    let wasThere = try ledger { writer throws(LedgerError) in
      try writer.delete(.biqli, Self.biqliIdentifier, in: name)
    }
    if wasThere { markErasure() }
    return wasThere
  }

  /// Notes which event the call is about: the line has the digest of its name.
  func note(_ event: BiqliEventID) {
    entry.detailDigest = event.digest
  }

  private func checkUsable(
    _ name: NamespaceName, evenSuspended: Bool = false
  ) throws(VaultError) {
    guard let namespace = try living(name) else { throw VaultError(LedgerError.namespaceMissing) }
    guard evenSuspended || namespace.state != .suspended else { throw .suspended }
  }

  private func storedBiqli(of name: NamespaceName) throws(VaultError) -> BiqliRecord? {
    guard let content = try open(.biqli, Self.biqliIdentifier, in: name) else { return nil }
    do {
      return try content.withBytes { bytes throws(BiqliError) in try BiqliRecord(encoded: bytes) }
    } catch {
      throw VaultError(error)
    }
  }

  private func put(_ state: BiqliRecord, in name: NamespaceName) throws(VaultError) {
    let content = try plaintext(of: state)
    try ledger { writer throws(LedgerError) in
      _ = try writer.put(content, .biqli, Self.biqliIdentifier, in: name)
    }
  }

  /// The state as it is sealed.
  private func plaintext(of state: BiqliRecord) throws(VaultError) -> SecretBytes {
    do { return try state.encode() } catch { throw VaultError(error) }
  }
}

extension BiqliEventID {
  /// BLAKE2b-256 of the name, as it stands in audit lines.
  var digest: [UInt8] { BLAKE2b.hash(Array(description.utf8).span) }
}

extension VaultError {
  /// The answer to what needs the state of an installation that was not opened.
  fileprivate static let biqliMissing = VaultError(
    .notFound, "nothing is kept of this installation: open it first with biqli.open",
    field: "namespace")
}
