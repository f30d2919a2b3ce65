import SecureMemory
import WireCoding

extension FuzzTarget {
  /// Base64: a text that is taken is the one that is written, in both kinds of memory.
  static let base64 = FuzzTarget("base64", words: ["=", "==", "AAAA", "/", "+", "\n"]) { input in
    let octets = try? Base64.decode(input)
    do throws(WireCodingError) {
      let secret = try Base64.decodeSecret(input)
      let isSame = secret.withBytes { copy($0) == octets }
      require(isSame, "secrets decode to the same octets")
    } catch {
      require(octets == nil, "secrets are held to the same form")
    }
    guard let octets else { return }
    require(Array(Base64.encode(octets.span).utf8) == copy(input), "canonical")
  }

  /// Hexadecimal: a lower-case text that is taken is the one that is written.
  static let hex = FuzzTarget("hex", words: ["00", "ff", "G"]) { input in
    let lax = try? Hex.decode(copy(input).span, acceptingUpperCase: true)
    do throws(WireCodingError) {
      let secret = try Hex.decodeSecret(input, acceptingUpperCase: true)
      let isSame = secret.withBytes { copy($0) == lax }
      require(isSame, "secrets decode to the same octets")
    } catch {
      require(lax == nil, "secrets are held to the same form")
    }
    guard let octets = try? Hex.decode(input) else { return }
    require(lax == octets, "upper case adds texts, and changes none")
    require(Array(Hex.encode(octets.span).utf8) == copy(input), "canonical")
  }

  /// Times: a text that is taken is the one that is written.
  static let timestamp = FuzzTarget(
    "timestamp", words: ["-02-29T", "T23:59:59Z", "9999", "0000", "Z", ":60"]
  ) { input in
    guard let time = try? Timestamp(input) else { return }
    require(Array(time.description.utf8) == copy(input), "canonical")
    require(Timestamp(seconds: time.seconds) == time, "within the range")
  }

  /// Namespace names and prefixes: names stay as they are, and all their beginnings are prefixes.
  static let namespace = FuzzTarget("namespace", words: ["/", "..", "a/", "-", "_"]) { input in
    let prefix = try? NamespacePrefix(input)
    guard let name = try? NamespaceName(input) else { return }
    require(prefix != nil, "a name is a prefix")
    let octets = Array(name.rawValue.utf8)
    require(octets == copy(input) && octets.count <= 128, "unchanged")
    let segments = name.rawValue.split(separator: "/", omittingEmptySubsequences: false)
    require(segments.count <= 8, "at most eight segments")
    require(segments.allSatisfy { $0 != "." && $0 != ".." && !$0.isEmpty }, "no dot segments")
    let beginning = Array(octets.prefix(max(1, octets.count / 2)))
    require((try? NamespacePrefix(beginning.span)) != nil, "a beginning is a prefix")
  }
}
