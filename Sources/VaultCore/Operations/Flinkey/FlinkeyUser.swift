import FlinkeyEngine
import SecureMemory
import WireCoding

/// The record of a flinkey user in one environment: `1 ‖ block 1 ‖ box ‖ IdToken ‖ Tapkey token ‖
/// Tapkey user ‖ lease`, what may be missing behind an octet that tells.
struct FlinkeyUser: Sendable {
  /// Why the user is blocked; `nil` when it is not.
  private(set) var block: FlinkeyBlock?
  /// The box that the user opens.
  var box: FlinkeyBoxID?
  var idToken: FlinkeyToken?
  var tapkeyToken: FlinkeyToken?
  /// Whom the Tapkey token is for, in Tapkey's words.
  var tapkeyUser: String?
  /// Who has a step of the renewal in hand.
  var lease: FlinkeyLease?
  /// Whether it was not read from a record; the record does not tell.
  private(set) var isNew = true

  /// The record's identifier among those of kind `flinkey`.
  static func identifier(_ user: Int64, _ environment: FlinkeyEnvironment) -> String {
    prefix + "\(user)/\(environment.rawValue)"
  }

  /// What the identifiers of all users begin with.
  static let prefix = "user/"

  /// Starts with nothing.
  init() {}

  /// Whether the record says no more than a missing one would.
  var isEmpty: Bool {
    block == nil && box == nil && idToken == nil && tapkeyToken == nil && lease == nil
  }

  /// Whether there is a token of either kind.
  var hasToken: Bool { idToken != nil || tapkeyToken != nil }

  /// How the user stands.
  ///
  /// - Parameters:
  ///   - seconds: how long the Tapkey token must still live.
  ///   - now: Unix seconds.
  /// - Returns: the state.
  func state(_ seconds: Int64, at now: Int64) -> FlinkeyState {
    if block != nil { return .blocked }
    return tapkeyToken?.lives(seconds, at: now) == true ? .valid : .renewable
  }

  /// Blocks the user; the tokens go, for nobody gets them any more, and so does a step in hand.
  mutating func block(_ reason: FlinkeyBlock) {
    block = reason
    dropTokens()
  }

  /// Ends the block.
  mutating func unblock() { block = nil }

  /// Drops both tokens, and a step in hand.
  mutating func dropTokens() {
    idToken = nil
    tapkeyToken = nil
    tapkeyUser = nil
    lease = nil
  }

  /// Drops what has ended.
  ///
  /// - Returns: whether there was something.
  mutating func dropEnded(at now: Int64) -> Bool {
    let hadIDToken = idToken?.lives(0, at: now) == false
    let hadTapkeyToken = tapkeyToken?.lives(0, at: now) == false
    if hadIDToken { idToken = nil }
    if hadTapkeyToken { (tapkeyToken, tapkeyUser) = (nil, nil) }
    return hadIDToken || hadTapkeyToken
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it is not what ``encode()`` makes.
  init(opening record: borrowing SecretBytes) throws(VaultError) {
    do {
      self = try record.withBytes { octets in
        var reader = ByteReader(octets)
        return try FlinkeyUser(from: &reader)
      }
    } catch {
      throw VaultError(reading: error, "a record of a flinkey user does not hold one")
    }
  }

  private init(from reader: inout ByteReader) throws {
    guard try reader.uint8() == 1 else { throw WireCodingError.truncated(offset: 0) }
    let code = try reader.uint8()
    block = FlinkeyBlock(code: code)
    box = try reader.optional { reader throws(WireCodingError) in try reader.bytes(4) }
      .map { try FlinkeyBoxID(octets: $0) }
    idToken = try FlinkeyToken.read(&reader)
    tapkeyToken = try FlinkeyToken.read(&reader)
    let count = Int(try reader.uint8())
    let user = try reader.bytes(count)
    tapkeyUser = count > 0 ? String(validating: user, as: UTF8.self) : nil
    lease = try FlinkeyLease.read(&reader)
    isNew = false
    try reader.finish()
    guard (code == 0) == (block == nil), (count == 0) == (tapkeyUser == nil),
      tapkeyUser == nil || tapkeyToken != nil, count <= FlinkeyLimits.tapkeyUser.upperBound
    else { throw WireCodingError.truncated(offset: reader.offset) }
  }

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    let user = Array((tapkeyUser ?? "").utf8)
    let box = box?.octets ?? []
    var writer = try RecordWriter(
      size: 4 + box.count + FlinkeyToken.size(idToken)
        + FlinkeyToken.size(tapkeyToken) + user.count + FlinkeyLease.size(lease))
    writer.integer(1, octets: 1)
    writer.integer(UInt64(block?.code ?? 0), octets: 1)
    writer.integer(box.isEmpty ? 0 : 1, octets: 1)
    writer.append(box.span)
    FlinkeyToken.write(idToken, into: &writer)
    FlinkeyToken.write(tapkeyToken, into: &writer)
    writer.integer(UInt64(user.count), octets: 1)
    writer.append(user.span)
    FlinkeyLease.write(lease, into: &writer)
    return writer.finish()
  }
}
