public import WireCoding

/// The parameters of `presentation.exchange`: what the reader has sent.
public struct PresentationExchangeParams: VaultParams {
  enum Member: String, MemberName {
    case presentation, message
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .presentation: .required(.hex(PresentationID.count))
    case .message: .required(.base64(1...VaultLimits.readerMessageOctets))
    }
  }

  /// The session, on the connection that opened it.
  public var presentation: PresentationID
  /// One whole message of the reader: of BLE with its header, of NFC a command APDU.
  public var message: [UInt8]

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - presentation: the session, on the connection that opened it.
  ///   - message: one whole message of the reader: of BLE with its header, of NFC a command APDU.
  public init(presentation: PresentationID, message: [UInt8]) {
    self.presentation = presentation
    self.message = message
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var presentation: PresentationID?
    var message: [UInt8]?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .presentation: presentation = PresentationID(try object.hex(&reader))
      case .message: message = try object.base64(&reader)
      }
    }
    self.presentation = try object.required(presentation, .presentation)
    self.message = try object.required(message, .message)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("presentation")
    writer.string(presentation.description)
    writer.name("message")
    writer.base64(message)
    writer.endObject()
  }
}
