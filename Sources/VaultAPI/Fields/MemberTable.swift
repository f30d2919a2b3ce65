import WireCoding

/// The members of one kind of parameter object, by name.
///
/// The decoder finds members, limits and required ones here, and the tests compare the schema with
/// the same table, so that the two cannot drift apart.
final class MemberTable<Member: MemberName>: Sendable {
  let fields: [Field]
  /// One bit for each required member, in the order of the members.
  let required: UInt32
  private let members: [Member]
  private let names: JSONNameTable

  init(_ rule: (Member) -> MemberRule) {
    members = Array(Member.allCases)
    names = JSONNameTable(members.map(\.rawValue))
    fields = members.map { member in
      let rule = rule(member)
      return Field(name: member.rawValue, kind: rule.kind, isRequired: rule.isRequired)
    }
    var required: UInt32 = 0
    for (index, field) in fields.enumerated() where field.isRequired { required |= 1 << index }
    self.required = required
  }

  /// The index of the member with this name.
  func index(of name: JSONString, in reader: borrowing JSONReader) -> Int? {
    names.index(of: name, in: reader)
  }

  func member(_ index: Int) -> Member { members[index] }
}
