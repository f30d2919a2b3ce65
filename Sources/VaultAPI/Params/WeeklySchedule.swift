public import WireCoding

/// The times of the week at which something is allowed.
public struct WeeklySchedule: VaultParams, Hashable {
  enum Member: String, MemberName {
    case windows, utcOffsetMinutes = "utc_offset_minutes"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .windows:
      .required(.array(.text(VaultLimits.weeklyWindowOctets), 1...VaultLimits.weeklyWindows))
    case .utcOffsetMinutes: .optional(.integer(-720...840))
    }
  }

  /// Its windows, such as `mon,fri 22:00-06:00`.
  public var windows: [String]
  /// How many minutes their clock is ahead of UTC; zero without it.
  public var utcOffsetMinutes: Int64?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - windows: its windows, such as `mon,fri 22:00-06:00`.
  ///   - utcOffsetMinutes: how many minutes their clock is ahead of UTC; zero without it.
  public init(windows: [String], utcOffsetMinutes: Int64? = nil) {
    self.windows = windows
    self.utcOffsetMinutes = utcOffsetMinutes
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var windows: [String]?
    var utcOffsetMinutes: Int64?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .windows: windows = try object.texts(&reader)
      case .utcOffsetMinutes: utcOffsetMinutes = try object.integer(&reader)
      }
    }
    self.windows = try object.required(windows, .windows)
    self.utcOffsetMinutes = utcOffsetMinutes
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("windows")
    writer.beginArray()
    for window in windows { writer.string(window) }
    writer.endArray()
    writer.optional("utc_offset_minutes", utcOffsetMinutes)
    writer.endObject()
  }
}
