public import WireCoding

/// The parameters of `presentation.request`: what to ask of the reader.
///
/// On the wire `ranging` comes with the request of that name, and with no other.
public struct PresentationRequestParams: VaultParams {
  enum Member: String, MemberName {
    case presentation, request, ranging
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .presentation: .required(.hex(PresentationID.count))
    case .request: .required(.choice(ReaderRequest.Kind.allCases.map(\.rawValue)))
    case .ranging: .optional(.object(RangingMessage.table.fields))
    }
  }

  /// The session, on the connection that opened it.
  public var presentation: PresentationID
  /// What to ask of the reader.
  public var request: ReaderRequest

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - presentation: the session, on the connection that opened it.
  ///   - request: what to ask of the reader.
  public init(presentation: PresentationID, request: ReaderRequest) {
    self.presentation = presentation
    self.request = request
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var presentation: PresentationID?
    var request: ReaderRequest.Kind?
    var ranging: RangingMessage?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .presentation: presentation = PresentationID(try object.hex(&reader))
      case .request: request = try object.choice(&reader)
      case .ranging: ranging = try object.nested(&reader, RangingMessage.init(from:))
      }
    }
    self.presentation = try object.required(presentation, .presentation)
    let kind = try object.required(request, .request)
    if kind != .ranging { try object.refuse(.ranging, with: .request, kind) }
    self.request =
      switch kind {
      case .unsecure: .unsecure
      case .secure: .secure
      case .initiateRanging: .initiateRanging
      case .resumeRanging: .resumeRanging
      case .ranging: .ranging(try object.required(ranging, .ranging, with: .request, kind))
      }
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("presentation")
    writer.string(presentation.description)
    writer.name("request")
    writer.string(request.kind.rawValue)
    if case .ranging(let ranging) = request {
      writer.name("ranging")
      ranging.encode(into: &writer)
    }
    writer.endObject()
  }
}
