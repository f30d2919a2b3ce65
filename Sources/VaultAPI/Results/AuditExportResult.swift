public import WireCoding

/// The answer to `audit.export`.
public struct AuditExportResult: VaultResult, Hashable {
  /// The name of the file.
  public var name: String
  /// The number of the segment, zero for the prune records.
  public var segment: Int64
  /// Where in it the part begins.
  public var offset: Int64
  /// The octets.
  public var data: [UInt8]
  /// The segment of the next part, `nil` when this is the last one.
  public var nextSegment: Int64?
  /// Where in it the next part begins.
  public var nextOffset: Int64?
  /// The segment that the log ends with for this and all further parts.
  public var endSegment: Int64
  /// Where it ends.
  public var endOffset: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - segment: the number of the segment, zero for the prune records.
  ///   - offset: where in it the part begins.
  ///   - data: the octets.
  ///   - nextSegment: the segment of the next part, `nil` when this is the last one.
  ///   - nextOffset: where in it the next part begins.
  ///   - endSegment: the segment that the log ends with for this and all further parts.
  ///   - endOffset: where it ends.
  public init(
    name: String, segment: Int64, offset: Int64, data: [UInt8], nextSegment: Int64? = nil,
    nextOffset: Int64? = nil, endSegment: Int64, endOffset: Int64
  ) {
    self.name = name
    self.segment = segment
    self.offset = offset
    self.data = data
    self.nextSegment = nextSegment
    self.nextOffset = nextOffset
    self.endSegment = endSegment
    self.endOffset = endOffset
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("name")
    writer.string(name)
    writer.name("segment")
    writer.integer(segment)
    writer.name("offset")
    writer.integer(offset)
    writer.name("data")
    writer.base64(data)
    writer.optional("next_segment", nextSegment)
    writer.optional("next_offset", nextOffset)
    writer.name("end_segment")
    writer.integer(endSegment)
    writer.name("end_offset")
    writer.integer(endOffset)
    writer.endObject()
  }
}
