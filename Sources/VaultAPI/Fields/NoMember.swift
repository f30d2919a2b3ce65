/// The members of an object that has none.
enum NoMember: String, MemberName {
  static let allCases: [NoMember] = []
  static let table = MemberTable<NoMember> { _ in .optional(.namespace) }

  /// Stands for no member: an enum with raw values needs one case.
  case none
}
