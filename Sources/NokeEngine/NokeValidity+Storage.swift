import WireCoding

/// The stored form of a grant's limits. Equal ones have equal octets, and other octets do not decode:
///
/// `1 ‖ which there are 1 (bit 0, 1, 2) ‖ not before 8 ‖ not after 8 ‖ minutes ahead of UTC 2 ‖ number of
/// windows 1 ‖ (days 1 (Monday: bit 0) ‖ start 2 ‖ end 2) …`, without what there is not; all numbers
/// big-endian, times in seconds since 1970 and those below zero as two's complement.
extension NokeValidity {
  /// The stored form.
  package var encoded: [UInt8] {
    var writer = ByteWriter(reservingCapacity: 24)
    writer.uint8(1)
    writer.uint8((notBefore == nil ? 0 : 1) | (notAfter == nil ? 0 : 2) | (schedule == nil ? 0 : 4))
    if let notBefore { writer.uint64(UInt64(bitPattern: notBefore.seconds)) }
    if let notAfter { writer.uint64(UInt64(bitPattern: notAfter.seconds)) }
    guard let schedule else { return writer.bytes }
    writer.uint16(UInt16(bitPattern: Int16(clamping: schedule.utcOffsetMinutes)))
    writer.uint8(UInt8(clamping: schedule.windows.count))
    for window in schedule.windows {
      writer.uint8(window.days.reduce(0) { $0 | 1 << UInt8($1.rawValue) })
      writer.uint16(UInt16(clamping: window.start))
      writer.uint16(UInt16(clamping: window.end))
    }
    return writer.bytes
  }

  /// Reads the stored form.
  ///
  /// - Parameter bytes: exactly what ``encoded`` gave.
  /// - Throws: ``NokeError/damaged`` when they are anything else.
  package init(encoded bytes: Span<UInt8>) throws(NokeError) {
    var reader = ByteReader(bytes)
    do {
      guard try reader.uint8() == 1, case let which = try reader.uint8(), which < 8 else {
        throw NokeError.damaged
      }
      let notBefore = which & 1 == 0 ? nil : try reader.timestamp()
      let notAfter = which & 2 == 0 ? nil : try reader.timestamp()
      let schedule = which & 4 == 0 ? nil : try reader.schedule()
      try reader.finish()
      try self.init(notBefore: notBefore, notAfter: notAfter, schedule: schedule)
    } catch {
      throw .damaged
    }
  }
}

extension ByteReader {
  fileprivate mutating func timestamp() throws -> Timestamp {
    guard let time = Timestamp(seconds: Int64(bitPattern: try uint64())) else {
      throw NokeError.damaged
    }
    return time
  }

  fileprivate mutating func schedule() throws -> NokeSchedule {
    let offset = Int(Int16(bitPattern: try uint16()))
    var windows: [NokeWindow] = []
    for _ in 0..<(try uint8()) {
      let days = try uint8()
      let (start, end) = (Int(try uint16()), Int(try uint16()))
      let window = NokeWindow(
        days: NokeWeekday.allCases.filter { days & 1 << UInt8($0.rawValue) != 0 },
        start: start, end: end)
      guard let window, days < 128 else { throw NokeError.damaged }
      windows.append(window)
    }
    return try NokeSchedule(windows: windows, utcOffsetMinutes: offset)
  }
}
