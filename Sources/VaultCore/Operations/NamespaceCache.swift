import Synchronization
import WireCoding

/// The namespaces that were opened lately, so that a request touches neither database nor record.
///
/// Two tables of at most half the bound each: a look-up in the older one moves the entry to the
/// newer, and when the newer is full it becomes the older, whose entries go. That is close to least
/// recently used, costs no list, and lets ``age()`` drop what was idle.
final class NamespaceCache: Sendable {
  private struct State {
    var newer: [NamespaceName: OpenNamespace] = [:]
    var older: [NamespaceName: OpenNamespace] = [:]
    var changes = [UInt64](repeating: 0, count: 256)
    var hits: UInt64 = 0
    var misses: UInt64 = 0
  }

  /// A moment before a read: what was read since may be kept only when nothing changed since.
  struct ReadMark: Sendable {
    fileprivate let shard: Int
    fileprivate let changes: UInt64
  }

  private let state = Mutex(State())
  private let half: Int

  /// Makes an empty cache of at most `bound` namespaces.
  init(bound: Int) {
    half = max(bound / 2, 1)
  }

  /// The opened namespace of this name, if it is held.
  func find(_ name: NamespaceName) -> OpenNamespace? {
    state.withLock { state in
      if let found = state.newer[name] {
        state.hits &+= 1
        return found
      }
      guard let found = state.older.removeValue(forKey: name) else {
        state.misses &+= 1
        return nil
      }
      state.hits &+= 1
      Self.insert(found, &state, half)
      return found
    }
  }

  /// What it holds, and what it was asked for.
  var reading: CacheReading {
    state.withLock { state in
      CacheReading(
        entries: state.newer.count + state.older.count, hits: state.hits, misses: state.misses)
    }
  }

  /// To be called before the database is read.
  func mark(_ name: NamespaceName) -> ReadMark {
    state.withLock { state in
      let shard = Self.shard(name)
      return ReadMark(shard: shard, changes: state.changes[shard])
    }
  }

  /// Keeps what was read since `mark`, unless a commit may have changed it meanwhile: a stale entry
  /// would outlive the change it missed.
  func insert(_ namespace: OpenNamespace, readSince mark: ReadMark) {
    state.withLock { state in
      guard state.changes[mark.shard] == mark.changes else { return }
      Self.insert(namespace, &state, half)
    }
  }

  /// Drops a namespace that a commit has changed.
  func drop(_ name: NamespaceName) {
    state.withLock { state in
      state.changes[Self.shard(name)] &+= 1
      state.newer[name] = nil
      state.older[name] = nil
    }
  }

  /// Drops every namespace.
  func dropAll() {
    state.withLock { state in
      for shard in state.changes.indices { state.changes[shard] &+= 1 }
      state.newer = [:]
      state.older = [:]
    }
  }

  /// Drops what was not used since the last call.
  func age() {
    state.withLock { state in
      state.older = state.newer
      state.newer = [:]
    }
  }

  private static func insert(_ namespace: OpenNamespace, _ state: inout State, _ half: Int) {
    if state.newer.count >= half {
      state.older = state.newer
      state.newer = [:]
    }
    state.newer[namespace.name] = namespace
  }

  private static func shard(_ name: NamespaceName) -> Int {
    Int(truncatingIfNeeded: name.hashValue) & 255
  }
}
