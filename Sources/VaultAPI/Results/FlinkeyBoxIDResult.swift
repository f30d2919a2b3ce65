public import WireCoding

/// The answer to `flinkey.box_id`.
public struct FlinkeyBoxIDResult: VaultResult {
  /// The box ID.
  public var boxID: String
  /// The physical lock ID of the same box.
  public var physicalLockID: String
  /// The data for the box's trigger command, and the time in it.
  public var command: (data: [UInt8], time: Timestamp)?
  /// What the box has told.
  public var feedback: FlinkeyBoxReport?
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - boxID: the box ID.
  ///   - physicalLockID: the physical lock ID of the same box.
  ///   - command: the data for the box's trigger command, and the time in it.
  ///   - feedback: what the box has told.
  ///   - seq: the audit number of the call.
  public init(
    boxID: String, physicalLockID: String, command: (data: [UInt8], time: Timestamp)? = nil,
    feedback: FlinkeyBoxReport? = nil, seq: Int64
  ) {
    self.boxID = boxID
    self.physicalLockID = physicalLockID
    self.command = command
    self.feedback = feedback
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("box_id")
    writer.string(boxID)
    writer.name("physical_lock_id")
    writer.string(physicalLockID)
    if let command {
      writer.name("command")
      writer.base64(command.data)
      writer.name("command_time")
      writer.timestamp(command.time)
    }
    if let feedback {
      writer.name("feedback")
      feedback.encode(into: &writer)
    }
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
