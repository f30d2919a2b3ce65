import NokeEngine
import Synchronization

/// How many packets each lock's record has left: ten at once, then one a second.
///
/// A caller may ask for packets for sessions that it invents, and the vault cannot tell; what it can do
/// is to make few. The table is that of this run of the daemon. It is the generic cell rate algorithm,
/// on the clock that never goes back: the instant at which a record has all ten again stands for both
/// their number and the time. One that has them all is not kept.
final class NokeRates: Sendable {
  /// The most records; beyond, the half goes that is nearest to having all ten.
  static let bound = 16_384
  /// How many packets may be made at once.
  static let burst: Int64 = 10
  /// After how many milliseconds there is one more.
  static let interval: Int64 = 1_000

  private struct Key: Hashable {
    let namespace: NamespaceID
    let mac: NokeMAC
  }

  private let full = Mutex<[Key: Int64]>([:])

  /// Makes a table in which every record has all ten.
  init() {}

  /// How many records are not known to have all ten.
  var count: Int { full.withLock { $0.count } }

  /// Takes one packet.
  ///
  /// - Parameters:
  ///   - mac: the lock.
  ///   - namespace: the namespace.
  ///   - now: boot-time milliseconds.
  /// - Returns: zero; when there was none, after how many milliseconds there is one.
  func take(_ mac: NokeMAC, in namespace: NamespaceID, at now: Int64) -> Int64 {
    let key = Key(namespace: namespace, mac: mac)
    return full.withLock { full in
      let next = max(full[key] ?? now, now) + Self.interval
      let wait = next - now - Self.burst * Self.interval
      guard wait <= 0 else { return wait }
      if full[key] == nil { Self.makeRoom(now, &full) }
      full[key] = next
      return 0
    }
  }

  private static func makeRoom(_ now: Int64, _ full: inout [Key: Int64]) {
    guard full.count >= bound else { return }
    full = full.filter { $0.value > now }
    guard full.count >= bound else { return }
    let middle = full.values.sorted()[bound / 2]
    full = full.filter { $0.value > middle }
  }
}
