/// The check octet of box commands: CRC-8 with the polynomial `x⁸ + x⁴ + x³ + x² + 1`, which starts at
/// zero and reflects and inverts nothing.
enum CRC8 {
  /// The check octet of some octets, zero for none.
  static func code(_ octets: some Sequence<UInt8>) -> UInt8 {
    octets.reduce(0) { code, octet in
      (0..<8).reduce(code ^ octet) { rest, _ in
        rest & 0x80 == 0 ? rest << 1 : rest << 1 ^ 0x1D
      }
    }
  }
}
