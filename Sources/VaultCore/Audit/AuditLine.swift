import WireCoding

/// An entry with its place in the log.
struct AuditLine {
  /// What it says.
  let entry: AuditEntry
  /// Its number.
  let sequence: Int64
  /// When it was numbered, Unix seconds.
  let time: Int64
  /// BLAKE2b-256 of the line before it.
  let previous: [UInt8]

  /// The line as it stands in the log, without its line feed: the fields that it has, in the order of
  /// ``AuditField``.
  var octets: [UInt8] {
    var json = JSONWriter(reservingCapacity: 512)
    json.beginObject()
    for field in AuditField.allCases {
      guard let value = field.value(in: self) else { continue }
      json.name(text: field.name)
      value.write(into: &json)
    }
    json.endObject()
    return json.bytes
  }
}
