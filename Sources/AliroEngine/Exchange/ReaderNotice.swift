import WireCoding

/// What a reader wants to be known beside the transaction (section 9, tag AE).
enum ReaderNotice: Hashable, Sendable {
  /// The reader met an error.
  case error(ReaderStatus)
  /// The reader names its maker (3 octets), product and firmware.
  case descriptor(vendor: [UInt8], product: [UInt8]?, firmware: [UInt8]?)
  /// A message for a bound application, or for the issuer's backend.
  case message(toBackend: Bool, isTimeCritical: Bool, importance: UInt8, count: Int)

  /// Reads the value of tag AE: one notice; unknown tags are skipped.
  ///
  /// - Returns: `nil` when it holds no notice that is known.
  static func read(_ value: [UInt8]) throws(Failure) -> ReaderNotice? {
    var notice: ReaderNotice?
    for element in try elements(value) {
      guard let found = try ReaderNotice(element.tag, value.value(of: element)) else { continue }
      guard notice == nil else { throw .malformed("A notification of the reader is two in one.") }
      notice = found
    }
    return notice
  }

  private init?(_ tag: TLVTag, _ value: [UInt8]) throws(Failure) {
    switch tag.rawValue {
    case 0x82:
      guard let status = ReaderStatus(value) else { throw Self.malformed }
      self = .error(status)
    case 0xB5:
      self = try Self.descriptor(value)
    case 0x9F00...0x9F7F:
      // Where it goes, urgency and importance are in the tag. Values differ by version, so that an
      // importance above 4 is passed on (section 15.12).
      let kind = UInt8(tag.rawValue & 0xFF)
      self = .message(
        toBackend: kind & 0x40 != 0, isTimeCritical: kind & 0x10 != 0, importance: kind & 0x07,
        count: value.count)
    default:
      return nil
    }
  }

  /// `04 03 <vendor>`, then product (80) and firmware (81).
  private static func descriptor(_ value: [UInt8]) throws(Failure) -> ReaderNotice {
    let fields = try CommandFields(
      value,
      [
        .init(tag: 0x04, length: 3...3), .init(tag: 0x80, length: 0...250, isRequired: false),
        .init(tag: 0x81, length: 0...250, isRequired: false),
      ])
    return .descriptor(
      vendor: fields.value(0x04), product: fields.optional(0x80), firmware: fields.optional(0x81))
  }

  private static func elements(_ value: [UInt8]) throws(Failure) -> [TLVElement] {
    do {
      return try TLVReader.elements(in: value.span)
    } catch {
      throw malformed
    }
  }

  private static let malformed = Failure.malformed("A notification of the reader is malformed.")

  /// The notice in plain words.
  var words: String {
    switch self {
    case .error(let status):
      return "reader error: \(status.words)"
    case .descriptor(let vendor, let product, let firmware):
      var words = "reader of vendor \(Hex.encode(vendor.span))"
      if let product { words += ", product \(Self.words(product))" }
      if let firmware { words += ", firmware \(Self.words(firmware))" }
      return words
    case .message(let toBackend, let isTimeCritical, let importance, let count):
      return "message of \(count) octets for the \(toBackend ? "issuer" : "application"), "
        + "importance \(importance)" + (isTimeCritical ? ", time-critical" : "")
    }
  }

  /// Printable ASCII as it is, anything else in hexadecimal.
  private static func words(_ octets: [UInt8]) -> String {
    guard !octets.isEmpty, octets.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return Hex.encode(octets.span)
    }
    return String(decoding: octets, as: UTF8.self)
  }
}
