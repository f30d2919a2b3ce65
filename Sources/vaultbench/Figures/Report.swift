import VaultCore
import WireCoding

/// Everything that was measured, for people or for programs.
struct Report {
  private(set) var figures: [Figure] = []
  private(set) var skipped: [(section: Section, reason: String)] = []
  let isQuick: Bool
  let cores: Int
  let namespaces: Int

  init(isQuick: Bool, cores: Int, namespaces: Int) {
    self.isQuick = isQuick
    self.cores = cores
    self.namespaces = namespaces
  }

  mutating func add(_ figure: Figure) { figures.append(figure) }

  mutating func skip(_ section: Section, _ reason: String) { skipped.append((section, reason)) }

  /// A table.
  var table: String {
    let heads = ["FIGURE", "MEASURED", "TARGET", ""]
    let rows = figures.map { figure in
      [
        figure.title, Decimal.text(figure.value) + (figure.unit.isEmpty ? "" : " \(figure.unit)"),
        figure.target?.words ?? "", figure.isGood.map { $0 ? "ok" : "MISS" } ?? "",
      ]
    }
    let widths = heads.indices.map { column in
      ([heads] + rows).reduce(0) { max($0, $1[column].count) }
    }
    var text = "vaultbench \(Version.current), \(cores) cores"
    text += isQuick ? ", a quick run: its figures mean little\n" : "\n"
    for row in [heads] + rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.count)
        // Numbers stand at the right.
        line += column == 1 ? space + cell : cell + space
        line += "  "
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    for (section, reason) in skipped { text += "\(section.rawValue) was left out: \(reason)\n" }
    return text
  }

  /// One JSON object on one line.
  var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("version")
    writer.string(Version.current)
    writer.name("cores")
    writer.integer(Int64(cores))
    writer.name("namespaces")
    writer.integer(Int64(namespaces))
    writer.name("quick")
    writer.boolean(isQuick)
    writer.name("figures")
    writer.beginArray()
    for figure in figures { Self.write(figure, &writer) }
    writer.endArray()
    writer.name("skipped")
    writer.beginArray()
    for (section, reason) in skipped {
      writer.beginObject()
      writer.name("section")
      writer.string(section.rawValue)
      writer.name("reason")
      writer.string(reason)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private static func write(_ figure: Figure, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("name")
    writer.string(figure.name)
    writer.name("title")
    writer.string(figure.title)
    writer.name("value")
    writer.decimal(figure.value)
    writer.name("unit")
    writer.string(figure.unit)
    switch figure.target {
    case .atMost(let limit):
      writer.name("at_most")
      writer.decimal(limit)
    case .atLeast(let limit):
      writer.name("at_least")
      writer.decimal(limit)
    case nil: break
    }
    if let isGood = figure.isGood {
      writer.name("ok")
      writer.boolean(isGood)
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes a number with decimals, which the protocol itself has none of.
  fileprivate mutating func decimal(_ value: Double) {
    if needsComma { append(UInt8(ascii: ",")) }
    for octet in Decimal.text(value, digits: 4).utf8 { append(octet) }
    needsComma = true
  }
}
