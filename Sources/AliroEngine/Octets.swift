import WireCoding

extension Array where Element == UInt8 {
  /// Copies the octets of a view.
  init(copying view: Span<UInt8>) {
    self = []
    reserveCapacity(view.count)
    for index in view.indices { append(view[index]) }
  }

  /// The value of an element that was found in these octets.
  func value(of element: TLVElement) -> [UInt8] {
    // A range from other octets gives nothing rather than a trap.
    guard element.value.lowerBound >= 0, element.value.upperBound <= count else { return [] }
    return Array(self[element.value])
  }

  /// Tag, length and value of an element that was found in these octets.
  func encoding(of element: TLVElement) -> [UInt8] {
    guard element.encoding.lowerBound >= 0, element.encoding.upperBound <= count else { return [] }
    return Array(self[element.encoding])
  }
}
