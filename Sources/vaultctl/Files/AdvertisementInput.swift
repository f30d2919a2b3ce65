import Glibc
import WireCoding

/// Reads what a reader advertises.
enum AdvertisementInput {
  private static let count = 31

  /// Reads an advertisement.
  ///
  /// - Parameter source: its hex digits, or a file that holds it or them; `-` is standard input.
  /// - Returns: its octets.
  /// - Throws: ``CommandFailure``.
  static func read(_ source: String) throws(CommandFailure) -> [UInt8] {
    if let octets = digits(source) { return octets }
    // Digits that miscount; a file of such a name is still taken for what it is.
    if source.allSatisfy({ $0.isASCII && $0.isHexDigit }), unsafe access(source, F_OK) != 0 {
      throw CommandFailure(
        .badData,
        "an advertisement is \(count) bytes, so \(2 * count) hexadecimal digits, and "
          + "these are \(source.utf8.count)",
        hint: "--advertisement takes the digits, or a FILE that holds them or the bytes")
    }
    let octets = try FileInput.read(source, limit: 2 * count + 2)
    if octets.count == count { return octets }
    let text = String(decoding: octets, as: UTF8.self)
    guard let octets = digits(String(text.prefix { $0 != "\n" && $0 != "\r\n" })) else {
      throw CommandFailure(
        .badData, "\(FileInput.name(of: source)) holds no advertisement of \(count) bytes")
    }
    return octets
  }

  private static func digits(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 2 * count else { return nil }
    return try? Hex.decode(text, acceptingUpperCase: true)
  }
}
