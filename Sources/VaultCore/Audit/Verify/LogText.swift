/// The text of an audit log: the prune records, if there are any, then the segments in their order.
///
/// A protocol so that a log can be checked wherever it is kept.
package protocol LogText {
  /// The files, in the order in which their text follows each other.
  var files: [LogTextFile] { get }
  /// Reads a part of a file; fewer octets only at its end.
  ///
  /// - Parameters:
  ///   - file: the index of the file.
  ///   - offset: where the part begins.
  ///   - count: how many octets.
  /// - Returns: the octets.
  /// - Throws: ``LogTextError`` when the system refuses.
  func read(_ file: Int, at offset: Int64, count: Int) throws(LogTextError) -> [UInt8]
}

/// A file of an audit log.
package struct LogTextFile: Hashable, Sendable {
  /// Its name within the directory.
  package let name: String
  /// How many octets of it count: a log that still grows is read up to where it ended at first.
  package let size: Int64

  /// Names a file.
  package init(name: String, size: Int64) {
    self.name = name
    self.size = size
  }
}

/// A file of an audit log cannot be read.
package struct LogTextError: Error, Hashable, Sendable {
  /// The file's name, or the directory's path.
  package let file: String
  /// The `errno` of the system call.
  package let code: Int32

  /// Makes the error.
  package init(file: String, code: Int32) {
    self.file = file
    self.code = code
  }
}

/// Where a line of the log begins.
package struct LogPlace: Hashable, Sendable {
  /// The index of the file.
  package var file: Int
  /// The line in the file, from 1.
  package var line: Int64
  /// Its first octet, from 0.
  package var offset: Int64

  /// The beginning of the log.
  static let start = LogPlace(file: 0, line: 1, offset: 0)

  /// Whether a place comes before another one.
  static func < (left: LogPlace, right: LogPlace) -> Bool {
    (left.file, left.offset) < (right.file, right.offset)
  }
}
