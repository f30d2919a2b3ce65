public import WireCoding

/// The parameters of `audit.export`: which part of the log's files.
public struct AuditExportParams: VaultParams {
  enum Member: String, MemberName {
    case segment, offset
    case endSegment = "end_segment"
    case endOffset = "end_offset"
  }

  static let table = MemberTable<Member> { _ in .optional(VaultLimits.counts) }

  /// The number of the segment, zero for the prune records; `nil` for the first file.
  public var segment: Int64?
  /// How many octets of it come before.
  public var offset: Int64
  /// The segment that the log ends with, as the first part has told; `nil` for where it ends now.
  public var endSegment: Int64?
  /// How many octets of that segment count.
  public var endOffset: Int64

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - segment: the number of the segment, `nil` for the first file.
  ///   - offset: how many octets of it come before.
  ///   - endSegment: the segment that the log ends with, `nil` for where it ends now.
  ///   - endOffset: how many octets of that segment count.
  public init(
    segment: Int64? = nil, offset: Int64 = 0, endSegment: Int64? = nil, endOffset: Int64 = 0
  ) {
    self.segment = segment
    self.offset = offset
    self.endSegment = endSegment
    self.endOffset = endOffset
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    self.init()
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .segment: segment = try object.integer(&reader)
      case .offset: offset = try object.integer(&reader)
      case .endSegment: endSegment = try object.integer(&reader)
      case .endOffset: endOffset = try object.integer(&reader)
      }
    }
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    if let segment {
      writer.name("segment")
      writer.integer(segment)
      writer.name("offset")
      writer.integer(offset)
    }
    if let endSegment {
      writer.name("end_segment")
      writer.integer(endSegment)
      writer.name("end_offset")
      writer.integer(endOffset)
    }
    writer.endObject()
  }
}
