import SecureMemory

/// What a connection has sent and the service has not seen: a line without its end, or whole lines
/// that have to wait.
///
/// It holds locked memory only while there is something to hold, and grows in steps up to what one
/// request may need.
struct Inbox: ~Copyable {
  /// Why more octets could not be kept.
  enum Failure: Error {
    /// The locked memory for half-sent requests is used up.
    case noMemory
  }

  /// The first size is a slot of the arena, which costs no system call.
  private static let sizes = [256, 4 << 10, 16 << 10, 64 << 10, 256 << 10]

  private let budget: LockedBudget
  private var storage: SecretBytes?
  private var start = 0
  private var end = 0

  /// Whether the octets are whole lines that wait for their turn, the last one perhaps without its
  /// end; otherwise they are one line without its end.
  private(set) var isBacklog = false

  init(budget: LockedBudget) {
    self.budget = budget
  }

  /// The octets held.
  var count: Int { end - start }

  var isEmpty: Bool { start == end }

  /// Keeps octets after those already there.
  ///
  /// - Parameters:
  ///   - octets: what to keep.
  ///   - isBacklog: whether there are ends of lines among them.
  /// - Throws: ``Failure/noMemory``; what was held before is still there.
  mutating func append(_ octets: Span<UInt8>, isBacklog: Bool = false) throws(Failure) {
    guard !octets.isEmpty else { return }
    try reserve(octets.count)
    storage?.withMutableBytes { $0.write(octets, at: end) }
    end += octets.count
    self.isBacklog = self.isBacklog || isBacklog
  }

  /// Lets `body` read the octets.
  func withOctets<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    guard storage != nil else { return }
    try storage?.withBytes { bytes throws(Failure) in try body(bytes.extracting(start..<end)) }
  }

  /// Takes octets off the front; with the last one the memory is wiped and given back.
  mutating func removeFirst(_ count: Int) {
    start += min(count, self.count)
    if isEmpty { clear() }
  }

  /// Says that no end of a line is left among the octets, and gives back what they do not need.
  mutating func becomePartial() throws(Failure) {
    isBacklog = false
    guard !isEmpty else { return }
    try move(into: Self.size(for: count))
  }

  /// Wipes the octets and gives the memory back.
  mutating func clear() {
    // The memory is wiped by its owner's deinit.
    if let size = storage?.count { budget.giveBack(size) }
    storage = nil
    start = 0
    end = 0
    isBacklog = false
  }

  private static func size(for count: Int) -> Int {
    sizes.first { count <= $0 } ?? count
  }

  private mutating func reserve(_ more: Int) throws(Failure) {
    let capacity = storage?.count ?? 0
    guard end + more > capacity else { return }
    // Beyond the steps it doubles, so that a line sent octet by octet is not copied each time.
    try move(into: max(Self.size(for: count + more), capacity >= 256 << 10 ? 2 * capacity : 0))
  }

  private mutating func move(into size: Int) throws(Failure) {
    guard budget.take(size) else { throw .noMemory }
    var moved: SecretBytes
    do throws(SecureMemoryError) {
      moved = try SecretBytes(zeroed: size)
    } catch {
      budget.giveBack(size)
      throw .noMemory
    }
    withOctets { octets in moved.withMutableBytes { $0.write(octets, at: 0) } }
    let (kept, backlog) = (count, isBacklog)
    clear()
    storage = .some(moved)
    end = kept
    isBacklog = backlog
  }

  deinit {
    if let size = storage?.count { budget.giveBack(size) }
  }
}
