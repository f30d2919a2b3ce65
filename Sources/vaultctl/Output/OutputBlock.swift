/// A part of what is shown to a person.
enum OutputBlock: Equatable, Sendable {
  /// Names and values in two aligned columns.
  case fields([Field])
  case table(Table)
  /// Lines as they are.
  case text([String])

  /// A name and its value.
  struct Field: Equatable, Sendable {
    let name: String
    let value: String
  }

  /// Lays it out.
  ///
  /// - Parameter style: the width to fit, and whether headings are marked.
  /// - Returns: its lines.
  func lines(_ style: TerminalStyle) -> [String] {
    switch self {
    case .text(let lines): return lines.map(DisplayText.clean)
    case .table(let table): return table.lines(style)
    case .fields(let fields):
      let width = fields.reduce(0) { max($0, DisplayText.width($1.name)) }
      return fields.map { field in
        // A value is never cut: it is there to be copied.
        DisplayText.pad(field.name, width) + "  " + DisplayText.clean(field.value)
      }
    }
  }
}
