/// What a member holds and whether it must be there.
enum MemberRule {
  case required(FieldKind)
  case optional(FieldKind)

  var kind: FieldKind {
    switch self {
    case .required(let kind), .optional(let kind): kind
    }
  }

  var isRequired: Bool {
    switch self {
    case .required: true
    case .optional: false
    }
  }
}
