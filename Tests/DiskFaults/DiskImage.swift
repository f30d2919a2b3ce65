/// What a disk may hold after a crash in the middle of a list of changes.
///
/// A file's octets are durable once it was synchronised, a name once its directory was. Of what came
/// later any part may have reached the device: all, none, or a random choice in which writes may be
/// missing, torn at a 512-byte boundary or overtaken by later ones. Changes of names keep their
/// order, as on every journalling file system.
package struct DiskImage {
  /// Which of the changes that nobody waited for reached the device.
  package enum Survival: Hashable, Sendable {
    case none
    case all
    case random(seed: UInt64)
  }

  private final class File {
    var durable: [UInt8] = []
    var pending: [DiskEvent] = []
  }

  /// What a path stands for.
  private enum Node {
    case file(File)
    case directory
  }

  private var durable: [String: Node] = [:]
  private var current: [String: Node] = [:]
  /// Changes of names that are not durable yet, in order, with the directories they touch.
  private var names: [(parents: Set<String>, change: (inout [String: Node]) -> Void)] = []

  /// Starts with an empty disk that has these directories.
  package init(directories: [String]) {
    for path in directories {
      durable[path] = .directory
      current[path] = .directory
    }
  }

  /// The directory a path is in.
  package static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// Applies a change.
  package mutating func apply(_ event: DiskEvent) {
    switch event {
    case .create(let path):
      let file = File()
      rename([path]) { $0[path] = .file(file) }
    case .write(let path, _, _), .truncate(let path, _):
      if case .file(let file)? = current[path] { file.pending.append(event) }
    case .synchronise(let path):
      guard case .file(let file)? = current[path] else { return }
      file.durable = Self.content(file.durable, file.pending)
      file.pending = []
    case .delete(let path), .removeDirectory(let path):
      rename([path]) { $0[path] = nil }
    case .makeDirectory(let path):
      rename([path]) { $0[path] = .directory }
    case .rename(let path, let target):
      rename([path, target]) { entries in
        for (name, node) in entries where name == path || name.hasPrefix(path + "/") {
          entries[name] = nil
          entries[target + name.dropFirst(path.count)] = node
        }
      }
    case .link(let path, let target):
      rename([path, target]) { $0[target] = $0[path] }
    case .synchroniseDirectory(let path):
      synchroniseNames(in: path)
    case .mark: break
    }
  }

  private mutating func rename(
    _ paths: [String], _ change: @escaping (inout [String: Node]) -> Void
  ) {
    change(&current)
    names.append((Set(paths.map(Self.parent)), change))
  }

  private mutating func synchroniseNames(in directory: String) {
    // Changes of names become durable in order, so everything up to the last one in here.
    guard let last = names.lastIndex(where: { $0.parents.contains(directory) }) else { return }
    for name in names[...last] { name.change(&durable) }
    names.removeSubrange(...last)
  }

  /// The files and directories that a crash now would leave.
  ///
  /// - Parameter survival: what of the rest reached the device.
  /// - Returns: paths, with octets for files and `nil` for directories.
  package func contents(_ survival: Survival) -> [String: [UInt8]?] {
    var random = SplitMix(state: 0)
    if case .random(let seed) = survival { random = SplitMix(state: seed) }
    var entries = durable
    let kept =
      switch survival {
      case .none: 0
      case .all: names.count
      case .random: Int(random.next() % UInt64(names.count + 1))
      }
    for name in names.prefix(kept) { name.change(&entries) }
    var result: [String: [UInt8]?] = [:]
    for (path, node) in entries.sorted(by: { $0.key < $1.key }) {
      switch node {
      case .directory: result.updateValue(nil, forKey: path)
      case .file(let file):
        let pending =
          switch survival {
          case .none: [DiskEvent]()
          case .all: file.pending
          case .random: Self.choose(file.pending, &random)
          }
        result[path] = Self.content(file.durable, pending)
      }
    }
    return result
  }

  /// A random part of the changes, some torn, some out of order.
  private static func choose(_ pending: [DiskEvent], _ random: inout SplitMix) -> [DiskEvent] {
    var chosen: [DiskEvent] = []
    for event in pending where random.next() % 3 != 0 {
      if case .write(let path, let offset, let bytes) = event, random.next() % 4 == 0 {
        let sectors = UInt64(bytes.count / 512 + 1)
        let count = min(Int(random.next() % sectors) * 512, bytes.count)
        chosen.append(.write(path, offset: offset, [UInt8](bytes[..<count])))
      } else {
        chosen.append(event)
      }
    }
    if random.next() % 2 == 0 { chosen.shuffle(using: &random) }
    return chosen
  }

  private static func content(_ start: [UInt8], _ changes: [DiskEvent]) -> [UInt8] {
    var bytes = start
    for change in changes {
      switch change {
      case .write(_, let offset, let data):
        if bytes.count < offset + data.count {
          bytes.append(contentsOf: repeatElement(0, count: offset + data.count - bytes.count))
        }
        bytes.replaceSubrange(offset..<offset + data.count, with: data)
      case .truncate(_, let size):
        if bytes.count > size {
          bytes.removeLast(bytes.count - size)
        } else {
          bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
        }
      default: break
      }
    }
    return bytes
  }
}
