import VaultServer

extension FuzzTarget {
  /// Configuration files: what is taken lies within its bounds, and the look of the lines means
  /// nothing.
  static let configuration = FuzzTarget(
    "configuration",
    words: ConfigurationKey.all.map(\.name) + [
      " = ", "\n", "\r\n", "#", "KiB", "MiB", "min", "h", "root", "9223372036854775807", "\t",
    ]
  ) { input in
    guard let text = String(validating: copy(input), as: UTF8.self) else { return }
    do throws(ConfigurationError) {
      let configuration = try ConfigurationFile.parse(text, path: "")
      ConfigurationTarget.checkBounds(configuration)
      for look in ConfigurationTarget.looks(of: text) {
        let again = try? ConfigurationFile.parse(look, path: "")
        require(again == configuration, "blanks, comments and line ends change nothing")
      }
    } catch {
      guard case .badLine(_, let line, let reason) = error else {
        return require(false, "a text has bad lines")
      }
      let lines = text.unicodeScalars.count { $0 == "\n" } + 1
      require((1...lines).contains(line) && !reason.isEmpty, "the line is one of the text's")
    }
  }
}

private enum ConfigurationTarget {
  static func checkBounds(_ configuration: Configuration) {
    let limits = configuration.limits
    require((0...64).contains(configuration.ioThreads), "threads")
    require((1 << 10...4 << 20).contains(limits.requestLimit), "request limit")
    require((1...65536).contains(limits.connectionLimit), "connections")
    require((1...65536).contains(limits.callerConnectionLimit), "connections of one user")
    require((1...4096).contains(limits.inFlightLimit), "requests in flight")
    require((4 << 10...64 << 20).contains(limits.outputLimit), "output limit")
    require((64 << 10...256 << 20).contains(limits.partialLimit), "partial limit")
    let timeouts = [limits.idleTimeout, limits.lineTimeout, limits.writeTimeout]
    require(timeouts.allSatisfy { (0...86_400).contains($0) }, "timeouts")
    require((1...600).contains(limits.drainTimeout), "drain timeout")
    require((0...1_000_000).contains(limits.rate), "rate")
    require((1...1_000_000).contains(limits.burst), "burst")
    require((1...3600).contains(configuration.presentationTimeout), "presentation timeout")
    require(configuration.lockedBytes > 0, "the memory that it needs is counted")
    let names = configuration.allowedUsers.union(configuration.adminUsers)
    require(!names.contains(.max), "nobody is no user")
  }

  /// The same settings written otherwise.
  static func looks(of text: String) -> [String] {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(String.UnicodeScalarView($0)) }
    return [
      lines.joined(separator: "\r\n"), lines.joined(separator: "\n# rate = 1\n\n"),
      lines.map { "\t \($0) " }.joined(separator: "\n"),
    ]
  }
}
