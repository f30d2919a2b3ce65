/// Rows under headings, aligned in columns.
struct Table: Equatable, Sendable {
  /// One column.
  struct Column: Equatable, Sendable {
    let heading: String
    /// Whether its cells stand at the right, as numbers do.
    var isNumeric = false
    /// Whether it may be cut when the terminal is too narrow; identifiers that are copied may not.
    var mayShrink = false
  }

  let columns: [Column]
  var rows: [[String]] = []

  /// The narrowest a column is cut to.
  private static let leastWidth = 8
  private static let gap = 2

  /// Lays it out.
  ///
  /// - Parameter style: the width to fit, and whether headings are marked.
  /// - Returns: the lines, without spaces at their ends.
  func lines(_ style: TerminalStyle) -> [String] {
    let cells = rows.map { row in row.map(DisplayText.clean) }
    let widths = widths(of: cells, within: style.width)
    let heading = line(columns.map(\.heading), widths)
    return [style.strong(heading)] + cells.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, (column, width)) in zip(columns, widths).enumerated() {
      let cell = DisplayText.fit(index < cells.count ? cells[index] : "", width)
      if index > 0 { text += String(repeating: " ", count: Self.gap) }
      text += DisplayText.pad(cell, width, right: column.isNumeric)
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The natural widths, with columns that may shrink cut, widest first, until the table fits.
  private func widths(of cells: [[String]], within limit: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      cells.reduce(DisplayText.width(columns[index].heading)) { widest, row in
        index < row.count ? max(widest, DisplayText.width(row[index])) : widest
      }
    }
    guard let limit else { return widths }
    var excess = widths.reduce(0, +) + Self.gap * max(columns.count - 1, 0) - limit
    while excess > 0 {
      let candidates = columns.indices.filter {
        columns[$0].mayShrink && widths[$0] > Self.leastWidth
      }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
