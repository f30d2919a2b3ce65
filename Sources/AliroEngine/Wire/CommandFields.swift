import WireCoding

/// The known elements of a command's data: each at most once, in their order, of the right length.
///
/// Unknown tags are skipped (section 2).
struct CommandFields {
  /// What is known of an element.
  struct Rule {
    let tag: TLVTag
    let length: ClosedRange<Int>
    var isRequired = true
  }

  private let data: [UInt8]
  private var found: [TLVTag: TLVElement] = [:]

  /// Reads command data by rules that stand in the order of the elements.
  init(_ data: [UInt8], _ rules: [Rule]) throws(Failure) {
    self.data = data
    let elements: [TLVElement]
    do {
      elements = try TLVReader.elements(in: data.span)
    } catch {
      throw .malformed("The data of a command is not BER-TLV.")
    }
    var next = 0
    for element in elements {
      guard let rule = rules.firstIndex(where: { $0.tag == element.tag }) else { continue }
      guard rule >= next else { throw .malformed("A tag is repeated or out of order.") }
      guard rules[rule].length.contains(element.value.count) else {
        throw .malformed("The value of a tag has the wrong length.")
      }
      found[element.tag] = element
      next = rule + 1
    }
    guard rules.allSatisfy({ !$0.isRequired || found[$0.tag] != nil }) else {
      throw .malformed("A required tag is missing.")
    }
  }

  /// The value of an element, empty when it is not there.
  func value(_ tag: TLVTag) -> [UInt8] {
    found[tag].map { data.value(of: $0) } ?? []
  }

  /// The value of an element that may be missing.
  func optional(_ tag: TLVTag) -> [UInt8]? {
    found[tag].map { data.value(of: $0) }
  }

  /// Tag, length and value of an element that may be missing.
  func encoding(_ tag: TLVTag) -> [UInt8]? {
    found[tag].map { data.encoding(of: $0) }
  }
}
