/// The answer to a reader's DeviceRequest (section 11).
enum DeviceResponse {
  /// The longest answer: with its encryption and envelope it fits one element.
  static let sizeLimit = 0xFF00

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - deviceRequest: the decrypted request, whatever it is.
  ///   - documents: what there is to show.
  /// - Returns: an encoded DeviceResponse; what is wrong with a request is told by its status.
  static func answer(to deviceRequest: [UInt8], from documents: CredentialDocuments) -> [UInt8] {
    []
  }
}
