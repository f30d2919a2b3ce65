import SecureMemory
import VaultCore
import VaultCrypto
import WireCoding

extension FuzzTarget {
  /// Key files: one secret has one file.
  static let keyFile = FuzzTarget("key-file", words: ["LATCHKEY-KEY-1 ", "\n"]) { input in
    guard let secret = try? KeyFile.parse(input) else { return }
    let digits = secret.withBytes { Hex.encode($0) }
    require(Array("LATCHKEY-KEY-1 \(digits)\n".utf8) == copy(input), "canonical")
  }

  /// X.509 certificates in DER, as passes bring them.
  static let certificate = FuzzTarget("certificate", words: ["0*\u{6}"]) { input in
    guard let certificate = try? X509Certificate(der: input) else { return }
    require(certificate.der == copy(input), "kept as it came")
    require(certificate.notBefore <= certificate.notAfter, "dates in their order")
    let again = try? X509Certificate(der: certificate.der.span)
    require(again == certificate, "reading changes nothing")
  }
}
