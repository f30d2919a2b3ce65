import Foundation

/// The seeds in `Tests/Fuzz/Corpus`.
enum Corpus {
  /// The folder of a target's seeds.
  static func folder(_ target: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/\(target)")
  }

  /// One of a target's seeds.
  static func seed(_ name: String, of target: String) throws -> [UInt8] {
    try Array(Data(contentsOf: folder(target).appending(path: name)))
  }

  /// A target's seeds in the order of their names.
  static func seeds(_ target: String) throws -> [[UInt8]] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder(target), includingPropertiesForKeys: nil)
    return try files.sorted { $0.path < $1.path }.map { try Array(Data(contentsOf: $0)) }
  }
}
