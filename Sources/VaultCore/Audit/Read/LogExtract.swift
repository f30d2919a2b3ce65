import Glibc

/// A place in the files of the log.
package struct LogFilePlace: Hashable, Sendable {
  /// The number of the segment; zero is the file of prune records.
  package var segment: Int64
  /// How many octets of it come before.
  package var offset: Int64

  /// Names a place.
  package init(segment: Int64, offset: Int64) {
    self.segment = segment
    self.offset = offset
  }
}

/// A part of the log's files, as they are.
package struct LogExtract: Hashable, Sendable {
  /// The most octets of one part.
  package static let most = 128 << 10

  /// The name of the file.
  package let name: String
  /// Where the part begins.
  package let place: LogFilePlace
  /// The octets, none in a file that is empty.
  package let octets: [UInt8]
  /// Where the next part begins, `nil` when this is the last one.
  package let next: LogFilePlace?
  /// Where the log ends for this and the parts that follow: behind a whole batch or a checkpoint.
  package let end: LogFilePlace
}

extension LogExtract {
  /// Reads a part.
  ///
  /// - Parameters:
  ///   - source: the files.
  ///   - place: where it begins, `nil` for the beginning.
  ///   - end: where the log ends, as an earlier part has told; `nil` for where it ends now.
  /// - Throws: ``VaultError`` `not_found` when there is no such file, or nothing at that place.
  init(
    _ source: any AuditSource, from place: LogFilePlace?, upTo end: LogFilePlace?
  ) throws(VaultError) {
    do throws(AuditFileError) {
      let pruned = try source.pruneFile(isNew: false)
      let numbers = (pruned == nil ? [] : [0]) + (try source.numbers())
      guard let newest = numbers.last else {
        throw AuditFileError(code: ENOENT)
      }
      let place = place ?? LogFilePlace(segment: numbers[0], offset: 0)
      let file = try Self.file(place.segment, source, pruned)
      let end =
        if let end { end } else { try Self.end(of: newest, try Self.file(newest, source, pruned)) }
      let size = place.segment == end.segment ? end.offset : try file.size()
      let count = min(size - place.offset, Int64(Self.most))
      octets = count > 0 ? try file.read(at: place.offset, count: Int(count)) : []
      name = LogFileName.name(of: place.segment)
      self.place = place
      self.end = end
      let reached = place.offset + Int64(octets.count)
      let following = numbers.first { $0 > place.segment && $0 <= end.segment }
      next =
        if !octets.isEmpty && reached < size {
          LogFilePlace(segment: place.segment, offset: reached)
        } else {
          following.map { LogFilePlace(segment: $0, offset: 0) }
        }
    } catch {
      guard error.code == ENOENT else { throw VaultError(reading: error) }
      throw VaultError(.notFound, "there is no such part of the audit log", field: "segment")
    }
  }

  private static func file(
    _ number: Int64, _ source: any AuditSource, _ pruned: (any AuditFile)?
  ) throws(AuditFileError) -> any AuditFile {
    guard number == 0 else { return try source.open(number) }
    guard let pruned else { throw AuditFileError(code: ENOENT) }
    return pruned
  }

  /// Behind the last line that closes a batch or is a checkpoint: a batch may be on its way.
  private static func end(
    of number: Int64, _ file: any AuditFile
  ) throws(AuditFileError) -> LogFilePlace {
    let size = try file.size()
    let start = max(size - 2 * LogSegmentReader.longestBatch, 0)
    let octets = try file.read(at: start, count: Int(size - start))
    var rest = octets[...]
    while let feed = rest.lastIndex(of: UInt8(ascii: "\n")) {
      let line = octets[..<feed]
      let begin = line.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let prefixes = [AuditBatchSeal.prefix, AuditCheckpoint.prefix, AuditPruneRecord.prefix]
      if prefixes.contains(where: { line[begin...].starts(with: $0) }) {
        return LogFilePlace(segment: number, offset: start + Int64(feed) + 1)
      }
      rest = octets[..<feed]
    }
    return LogFilePlace(segment: number, offset: start)
  }
}

extension VaultError {
  /// The log cannot be read.
  init(reading error: AuditFileError) {
    self.init(
      .auditUnavailable, "the audit log cannot be read: \(error.words)", retry: true)
  }
}
