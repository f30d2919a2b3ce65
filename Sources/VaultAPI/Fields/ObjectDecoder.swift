import WireCoding

/// Reads one parameter object member by member, in any order, each at most once.
struct ObjectDecoder<Member: MemberName> {
  private let table: MemberTable<Member>
  private let start: Int
  private var seen: UInt32 = 0
  private var index = 0

  /// Enters the object.
  init(_ table: MemberTable<Member>, _ reader: inout JSONReader) throws(VaultAPIError) {
    self.table = table
    self.start = reader.offset
    do throws(WireCodingError) {
      try reader.beginObject()
    } catch {
      throw VaultAPIError(error, path: "", offset: reader.offset, expected: nil)
    }
  }

  /// The member whose value comes next.
  var field: Field { table.fields[index] }

  /// Goes to the next member, or ends the object and checks that nothing required is missing.
  mutating func next(_ reader: inout JSONReader) throws(VaultAPIError) -> Member? {
    let place = reader.offset
    guard let name = try name(&reader) else {
      let missing = table.required & ~seen
      guard missing == 0 else {
        let name = table.fields[missing.trailingZeroBitCount].name
        throw .parameter(path: name, .missing, offset: start)
      }
      return nil
    }
    guard let index = table.index(of: name, in: reader) else {
      throw .parameter(path: name.shown(in: reader), .unknown, offset: place)
    }
    self.index = index
    let bit: UInt32 = 1 << UInt32(index)
    guard seen & bit == 0 else {
      throw .parameter(path: field.name, .repeated, offset: place)
    }
    seen |= bit
    return table.member(index)
  }

  /// The value of a required member; ``next(_:)`` has thrown already when there is none.
  func required<Value>(_ value: Value?, _ member: Member) throws(VaultAPIError) -> Value {
    guard let value else { throw .parameter(path: member.rawValue, .missing, offset: start) }
    return value
  }

  /// Checks that exactly one of the named members was given.
  func exactlyOne(_ members: Member...) throws(VaultAPIError) {
    let given = given(members)
    guard given.count == 1 else {
      // The last one given is the one too many; when none was, the call as a whole is at fault.
      let path = given.last ?? ""
      throw .parameter(path: path, .notExactlyOne(members.map(\.rawValue)), offset: start)
    }
  }

  /// The value of a member that another member's value asks for.
  func required<Value, Word: RawRepresentable<String>>(
    _ value: Value?, _ member: Member, with other: Member, _ word: Word
  ) throws(VaultAPIError) -> Value {
    guard let value else {
      let fault = ParameterFault.neededWith(other.rawValue, word.rawValue)
      throw .parameter(path: member.rawValue, fault, offset: start)
    }
    return value
  }

  /// Checks that none of the members was given, as another member's value leaves no room for them.
  func refuse<Word: RawRepresentable<String>>(
    _ members: Member..., with other: Member, _ word: Word
  ) throws(VaultAPIError) {
    guard let member = given(members).first else { return }
    let fault = ParameterFault.notTakenWith(other.rawValue, word.rawValue)
    throw .parameter(path: member, fault, offset: start)
  }

  /// The error for a value that is well-formed JSON and not what the member holds.
  func refused(at offset: Int) -> VaultAPIError {
    .parameter(path: field.name, .mustBe(field.kind.rule), offset: offset)
  }

  /// Which of the members were given, in the order of the table.
  private func given(_ members: [Member]) -> [String] {
    table.fields.indices.filter { seen & 1 << UInt32($0) != 0 }.map { table.fields[$0].name }
      .filter { name in members.contains { $0.rawValue == name } }
  }

  private func name(_ reader: inout JSONReader) throws(VaultAPIError) -> JSONString? {
    do throws(WireCodingError) {
      return try reader.nextName()
    } catch {
      throw VaultAPIError(error, path: "", offset: reader.offset, expected: nil)
    }
  }
}

extension JSONString {
  /// A name that a caller made up, when it is fit to be repeated in an error, else `?`.
  func shown(in reader: borrowing JSONReader) -> String {
    guard decodedCount <= 64 else { return "?" }
    let octets = reader.octets(self)
    guard octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "?" }
    return String(decoding: octets, as: UTF8.self)
  }
}
