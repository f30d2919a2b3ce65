import Testing

@testable import BiqliEngine

/// What may be a name, key, token, link or domain; `BiqliOracleTests` has many more.
@Suite struct BiqliTextTests {
  private static let hex = "0123456789abcdefABCDEF0123456789"

  @Test func `takes what is in order, and keeps it as it came`() throws {
    #expect(try BiqliAppID(Sample.app).description == Sample.app)
    #expect(try BiqliPublishableKey(Sample.key).description == Sample.key)
    #expect(try BiqliHandoffToken(Sample.token("_")).text == Sample.token("_"))
    #expect(try BiqliInstanceID("install_" + Self.hex).description == "install_" + Self.hex)
    #expect(try BiqliEventID("open_" + Self.hex).description == "open_" + Self.hex)
    #expect(try BiqliRequestID("req_" + Self.hex).description == "req_" + Self.hex)
  }

  @Test func `a text is refused that begins, ends or goes on otherwise`() throws {
    for (text, check) in try Self.checks() {
      let start = String(text.dropLast())
      var changes = ["", " ", "\n", "\0", "0"].map { text + $0 }
      changes += ["", "é", "\0", "+", "\u{FF11}"].map { start + $0 }
      changes += ["", " " + text, String(text.dropFirst()), text.uppercased()]
      changes += [
        start.dropLast() + "%0", text.replacing("_", with: "-", maxReplacements: 1),
      ]
      for changed in changes where changed != text {
        #expect(throws: BiqliError.self, "\(changed)") { try check(changed) }
      }
    }
  }

  private static func checks() throws -> [(String, (String) throws -> Void)] {
    [
      (Sample.app, { _ = try BiqliAppID($0) }), (Sample.key, { _ = try BiqliPublishableKey($0) }),
      (Sample.token("a"), { _ = try BiqliHandoffToken($0) }),
      ("install_" + hex, { _ = try BiqliInstanceID($0) }),
      ("open_" + hex, { _ = try BiqliEventID($0) }), ("req_" + hex, { _ = try BiqliRequestID($0) }),
    ]
  }

  @Test func `each alphabet is the one of its table`() throws {
    for character in UInt8(32)...126 {
      let end = String(UnicodeScalar(character))
      let isCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(end)
      #expect(((try? BiqliAppID(Sample.app.dropLast() + end)) != nil) == isCrockford)
      let isToken = end.wholeMatch(of: /[A-Za-z0-9_-]/) != nil
      #expect(((try? BiqliPublishableKey(Sample.key.dropLast() + end)) != nil) == isToken)
      #expect(((try? BiqliHandoffToken(Sample.token("a").dropLast() + end)) != nil) == isToken)
      let isHex = end.wholeMatch(of: /[0-9a-fA-F]/) != nil
      #expect(((try? BiqliEventID("open_" + Self.hex.dropLast() + end)) != nil) == isHex)
    }
  }

  @Test func `errors name the parameter`() {
    #expect(throws: BiqliError.parameter("event_id", due: "open_ and 32 hexadecimal digits")) {
      _ = try BiqliEventID("")
    }
    #expect(throws: BiqliError.parameter("x", due: "bqmh_ and 43 letters, digits, _ or -")) {
      _ = try BiqliHandoffToken("", field: "x")
    }
    for count in [0, 15, 65, 1000] {
      #expect(throws: BiqliError.parameter("marker", due: "16 to 64 octets")) {
        _ = try BiqliMarker([UInt8](repeating: 0, count: count))
      }
    }
  }

  @Test func `made identifiers are UUIDs of version 4, and differ with their octets`() throws {
    let zeros = BiqliEventID(random: .init(repeating: 0))
    #expect(zeros.description == "open_00000000000040008000000000000000")
    let ones = BiqliInstanceID(random: .init(repeating: 0xFF))
    #expect(ones.description == "install_ffffffffffff4fffbfffffffffffffff")
    #expect(try BiqliEventID(zeros.description) == zeros)
    #expect(try BiqliInstanceID(ones.description) == ones)
  }

  @Test(arguments: [
    ("https://example.com", "example.com"), ("HTTPS://Example.COM/a?b#c", "example.com"),
    ("https://a.b:443/x", "a.b"), ("https://a.b:1", "a.b"), ("https://a.b?c@d", "a.b"),
    ("https://a.b#:x", "a.b"), ("https://a.b./x", "a.b"), ("https://1.2.3.4/", "1.2.3.4"),
    ("https://a.b/%20[x]~!$&'()*+,;=:@", "a.b"),
  ])
  func `takes links, and their hosts in lower case`(text: String, host: String) throws {
    let link = try BiqliDeepLink(text)
    #expect(link.text == text && link.host.text == host)
  }

  @Test(arguments: [
    "", "https", "https:", "https://", "https:///path", "https://?q", "https://#f", "https://:443",
    "http://a.b", "httpss://a.b", "ftp://a.b", "//a.b", "a.b/c", "https:/a.b", "https:a.b",
    " https://a.b", "https://a.b ", "https://a.b/ c", "https://a.b/\n", "https://a.b/\u{7F}",
    "https://user@a.b", "https://user:pass@a.b/", "https://a.b@c.d", "https://a.b:0",
    "https://a.b:",
    "https://a.b:65536", "https://a.b:x", "https://a.b:443:443", "https://a.b:000443", "https://ab",
    "https://localhost/", "https://[::1]/", "https://a..b/", "https://-a.b/", "https://a-.b/",
    "https://a_b.c/", "https://ä.de/", "https://a.b/ä", "https://a.b/\"", "https://a.b/\\",
    "https://a.b/<x>", "https://a.b/{x}", "https://a.b/|", "https://a.b/^", "https://a.b/`",
    "https\u{A789}//a.b", "ｈttps://a.b",
  ])
  func `refuses links of another form`(text: String) {
    #expect(
      throws: BiqliError.parameter("link", due: "an https URL with a host, of at most 8192 octets")
    ) { _ = try BiqliDeepLink(text) }
  }

  @Test func `takes 8,192 octets of a link and no more`() throws {
    let longest = "https://a.b/" + String(repeating: "x", count: 8_180)
    #expect(try BiqliDeepLink(longest).text.utf8.count == 8_192)
    #expect(throws: BiqliError.self) { _ = try BiqliDeepLink(longest + "x") }
  }

  @Test(arguments: [
    ("example.com", "example.com"), ("EXAMPLE.Com", "example.com"),
    (".example.com.", "example.com"),
    ("a.b", "a.b"), ("xn--4ca.de", "xn--4ca.de"), ("1.2", "1.2"),
    (String(repeating: "a", count: 63) + ".b", String(repeating: "a", count: 63) + ".b"),
  ])
  func `takes domains`(text: String, domain: String) throws {
    #expect(try BiqliDomain(text).description == domain)
  }

  @Test func `refuses domains of another form, and ones that are too long`() throws {
    let long = Array(repeating: "abcdefghi", count: 25).joined(separator: ".") + ".abc"
    #expect(long.utf8.count == 253)
    #expect(try BiqliDomain("." + long + ".").description == long)
    let refused = [
      "", ".", "..", "a", "a.", ".a", "a..b", "..a.b", "a.b..", "-a.b", "a-.b", "a.-b", "a.b-",
      "a_b.c", "a b.c", "a.b/", "a.b:1", "ä.de", String(repeating: "a", count: 64) + ".b",
      long + "x", "a.b\0", "a.b\n", "a.\u{212A}",
    ]
    for text in refused {
      #expect(throws: BiqliError.parameter("d", due: "a host name of at least two labels")) {
        _ = try BiqliDomain(text, field: "d")
      }
    }
  }

  @Test func `versions are short and printable`() throws {
    let longest = String(repeating: "v", count: 64)
    #expect(try Sample.fields(appVersion: longest).appVersion == longest)
    for version in ["", longest + "v", "1\n", "1\0", "é", "\u{7F}"] {
      #expect(
        throws: BiqliError.parameter("app_version", due: "1 to 64 characters of printable ASCII")
      ) { _ = try Sample.fields(appVersion: version) }
    }
  }

  @Test func `a failure has a status of a failure`() throws {
    for status in [300, 404, 500, 599] {
      #expect(try BiqliFailure(status: status, code: "a.b-C_9").status == status)
    }
    for status in [-1, 0, 100, 200, 299, 600, Int.max, .min] {
      #expect(throws: BiqliError.parameter("status", due: "a status from 300 to 599")) {
        _ = try BiqliFailure(status: status, code: nil)
      }
    }
    for code in ["", " ", "a b", "é", String(repeating: "c", count: 65), "\0"] {
      #expect(throws: BiqliError.parameter("code", due: "1 to 64 letters, digits, _, . or -")) {
        _ = try BiqliFailure(status: 404, code: code)
      }
    }
  }
}
