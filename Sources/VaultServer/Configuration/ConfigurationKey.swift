import Glibc

/// A key of the configuration file: the one table that parsing and documentation go by.
package struct ConfigurationKey: Sendable {
  /// What a value is refused for, in plain words.
  struct BadValue: Error {
    let reason: String
  }

  /// The word before the equals sign.
  package let name: String
  /// What the value looks like.
  package let form: String
  /// What it does.
  package let summary: String
  /// What holds when the key is absent.
  package let standard: String
  /// Whether the key may be given more than once.
  package let isRepeatable: Bool

  let apply: @Sendable (inout Configuration, String) throws(BadValue) -> Void

  /// Every key, in the order of the documentation.
  package static let all: [ConfigurationKey] = [
    names(
      "allow-uid", "USER",
      "a user (name or number) who may connect to the client socket and see the status",
      \.allowedUsers,
      NameLookup.user),
    names(
      "allow-gid", "GROUP", "a group (name or number) whose members may do that", \.allowedGroups,
      NameLookup.group),
    names(
      "admin-uid", "USER", "a user (name or number) who may connect to both sockets, and unseal",
      \.adminUsers,
      NameLookup.user),
    names(
      "admin-gid", "GROUP", "a group (name or number) whose members may do that", \.adminGroups,
      NameLookup.group),
    count("io-threads", \.ioThreads, 0...64, "I/O threads; 0 is one for each core"),
    size(
      "request-limit", \.limits.requestLimit, (1 << 10)...(4 << 20), "the longest request line"),
    count("connection-limit", \.limits.connectionLimit, 1...65536, "connections altogether"),
    count(
      "caller-connection-limit", \.limits.callerConnectionLimit, 1...65536,
      "connections of one user"),
    count(
      "in-flight-limit", \.limits.inFlightLimit, 1...4096,
      "unanswered requests of one connection"),
    size(
      "output-limit", \.limits.outputLimit, (4 << 10)...(64 << 20),
      "answers that may wait for one slow client"),
    size(
      "partial-limit", \.limits.partialLimit, (64 << 10)...(256 << 20),
      "locked memory for half-sent requests altogether"),
    duration("idle-timeout", \.limits.idleTimeout, "closes a connection with nothing to do"),
    duration("line-timeout", \.limits.lineTimeout, "closes a connection inside a request"),
    duration("write-timeout", \.limits.writeTimeout, "closes a connection that takes no answers"),
    duration("drain-timeout", \.limits.drainTimeout, "bounds the orderly end", 1...600),
    count("rate", \.limits.rate, 0...1_000_000, "requests a second of one user; 0 is any number"),
    count("burst", \.limits.burst, 1...1_000_000, "requests a user may send at once beyond it"),
    duration(
      "presentation-timeout", \.presentationTimeout, "gives up an open presentation", 1...3600),
    count(
      "auth0-timeout-ms", \.auth0Timeout, 500...30_000,
      "milliseconds that a reader on BLE has for its first command"),
    size(
      "audit-segment-size", \.auditSegmentSize, (64 << 10)...(1 << 30),
      "closes a segment of the audit log"),
    count(
      "audit-backlog", \.auditBacklog, 0...10_000_000,
      "audit lines that the log's files may lack before calls are refused"),
    file(
      "anchor-file", \.anchorFile, "a file elsewhere that keeps the newest audit checkpoint"),
  ]

  /// The key with a name.
  package static func named(_ name: some StringProtocol) -> ConfigurationKey? {
    all.first { $0.name == name }
  }

  private static func names<ID: Hashable & Sendable>(
    _ name: String, _ form: String, _ summary: String,
    _ path: any WritableKeyPath<Configuration, Set<ID>> & Sendable,
    _ lookup: @escaping @Sendable (String) -> ID?
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, form: form, summary: summary, standard: "none", isRepeatable: true
    ) { configuration, value throws(BadValue) in
      guard let id = lookup(value) else {
        throw BadValue(reason: "there is no such \(form.lowercased()): \(value)")
      }
      configuration[keyPath: path].insert(id)
    }
  }

  private static func file(
    _ name: String, _ path: any WritableKeyPath<Configuration, String?> & Sendable,
    _ summary: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, form: "PATH", summary: summary, standard: "none", isRepeatable: false
    ) { configuration, value throws(BadValue) in
      guard value != "none" else { return configuration[keyPath: path] = nil }
      // What the directory is that the daemon was started in must not matter.
      guard value.hasPrefix("/"), !value.hasSuffix("/") else {
        throw BadValue(reason: "\(value) is not the absolute path of a file")
      }
      configuration[keyPath: path] = value
    }
  }

  private static func count(
    _ name: String, _ path: any WritableKeyPath<Configuration, Int> & Sendable,
    _ range: ClosedRange<Int>, _ summary: String
  ) -> ConfigurationKey {
    number(name, path, range, summary, units: [:], form: "COUNT") { "\($0)" }
  }

  private static func size(
    _ name: String, _ path: any WritableKeyPath<Configuration, Int> & Sendable,
    _ range: ClosedRange<Int>, _ summary: String
  ) -> ConfigurationKey {
    number(
      name, path, range, summary, units: ["KiB": 1 << 10, "MiB": 1 << 20], form: "BYTES"
    ) { $0 % (1 << 20) == 0 ? "\($0 >> 20)MiB" : "\($0 >> 10)KiB" }
  }

  private static func duration(
    _ name: String, _ path: any WritableKeyPath<Configuration, Int> & Sendable, _ summary: String,
    _ range: ClosedRange<Int> = 0...86_400
  ) -> ConfigurationKey {
    number(
      name, path, range, summary + (range.contains(0) ? "; 0 is never" : ""),
      units: ["s": 1, "min": 60, "h": 3600], form: "TIME"
    ) { $0 > 0 && $0 % 60 == 0 ? "\($0 / 60)min" : "\($0)s" }
  }

  private static func number(
    _ name: String, _ path: any WritableKeyPath<Configuration, Int> & Sendable,
    _ range: ClosedRange<Int>, _ summary: String, units: [String: Int], form: String,
    _ text: @escaping @Sendable (Int) -> String
  ) -> ConfigurationKey {
    let bounds = "\(text(range.lowerBound)) to \(text(range.upperBound))"
    return ConfigurationKey(
      name: name, form: form, summary: "\(summary) (\(bounds))",
      standard: text(Configuration()[keyPath: path]), isRepeatable: false
    ) { configuration, value throws(BadValue) in
      let digits = value.prefix { "0"..."9" ~= $0 }
      let unit = String(value.dropFirst(digits.count))
      guard let plain = Int(digits), let factor = unit.isEmpty ? 1 : units[unit] else {
        let names = units.keys.sorted().joined(separator: ", ")
        let known = units.isEmpty ? "" : ", perhaps with \(names)"
        throw BadValue(reason: "\"\(value)\" is not a whole number\(known)")
      }
      let (scaled, overflow) = plain.multipliedReportingOverflow(by: factor)
      guard !overflow, range.contains(scaled) else {
        throw BadValue(reason: "\(value) is not within \(bounds)")
      }
      configuration[keyPath: path] = scaled
    }
  }
}
