import Foundation
import Glibc
import Testing
import VaultServer

@Suite struct ConfigurationTests {
  @Test func `an empty file gives the standard values`() throws {
    #expect(try ConfigurationFile.parse("", path: "f") == Configuration())
    #expect(try ConfigurationFile.parse("\n  # a comment\n\t\n", path: "f") == Configuration())
    #expect(Configuration().limits.requestLimit == 262_144)
    #expect(Configuration().limits.connectionLimit == 1024)
    #expect(Configuration().limits.inFlightLimit == 256)
  }

  @Test func `a line ends with a line feed, whatever stands before it`() throws {
    let text = "# a comment\r\nrate = 100\r\n\r\n# another\nburst = 50\r\n"
    let configuration = try ConfigurationFile.parse(text, path: "f")
    #expect(configuration.limits.rate == 100)
    #expect(configuration.limits.burst == 50)
    #expect(throws: ConfigurationError.self) {
      try ConfigurationFile.parse("# a comment\r\nrat = 1\r\n", path: "f")
    }
  }

  @Test func `reads every key`() throws {
    let text = """
      allow-uid = root
      allow-uid=1234
      allow-gid = 42
      admin-uid = 7
      admin-gid = 8
        io-threads   =  3
      request-limit = 64KiB
      connection-limit = 12
      caller-connection-limit = 5
      in-flight-limit = 7
      output-limit = 2MiB
      partial-limit = 131072
      idle-timeout = 2h
      line-timeout = 5s
      write-timeout = 0
      drain-timeout = 3
      rate = 100
      burst = 50
      auth0-timeout-ms = 500
      audit-segment-size = 128KiB
      audit-backlog = 0
      anchor-file = /mnt/elsewhere/latchkey anchor
      presentation-timeout = 2min\r
      """
    var expected = Configuration()
    expected.allowedUsers = [0, 1234]
    expected.allowedGroups = [42]
    expected.adminUsers = [7]
    expected.adminGroups = [8]
    expected.ioThreads = 3
    expected.limits.requestLimit = 65_536
    expected.limits.connectionLimit = 12
    expected.limits.callerConnectionLimit = 5
    expected.limits.inFlightLimit = 7
    expected.limits.outputLimit = 2 << 20
    expected.limits.partialLimit = 131_072
    expected.limits.idleTimeout = 7200
    expected.limits.lineTimeout = 5
    expected.limits.writeTimeout = 0
    expected.limits.drainTimeout = 3
    expected.limits.rate = 100
    expected.limits.burst = 50
    expected.presentationTimeout = 120
    expected.auth0Timeout = 500
    expected.auditSegmentSize = 131_072
    expected.auditBacklog = 0
    expected.anchorFile = "/mnt/elsewhere/latchkey anchor"
    #expect(try ConfigurationFile.parse(text, path: "f") == expected)
    for key in ConfigurationKey.all { #expect(text.contains(key.name)) }
  }

  @Test(arguments: [
    ("rate = 1\nrat = 2", 2, "there is no key \"rat\""),
    ("Rate = 1", 1, "there is no key \"Rate\""),
    ("= 1", 1, "there is no key \"\""),
    ("rate", 1, "\"rate\" is not of the form key = value"),
    ("[section]", 1, "\"[section]\" is not of the form key = value"),
    ("rate =", 1, "rate has no value"),
    ("\n\nrate = 1\nrate = 1", 4, "rate was set in line 3 already"),
    ("rate = -1", 1, "rate: \"-1\" is not a whole number"),
    ("rate = 1.5", 1, "rate: \"1.5\" is not a whole number"),
    ("rate = 5 # five", 1, "rate: \"5 # five\" is not a whole number"),
    ("rate = ten", 1, "rate: \"ten\" is not a whole number"),
    ("rate = 1000001", 1, "rate: 1000001 is not within 0 to 1000000"),
    ("rate = 99999999999999999999", 1, "rate: \"99999999999999999999\" is not a whole number"),
    ("io-threads = 65", 1, "io-threads: 65 is not within 0 to 64"),
    (
      "request-limit = 1kb", 1,
      "request-limit: \"1kb\" is not a whole number, perhaps with KiB, MiB"
    ),
    ("request-limit = 5MiB", 1, "request-limit: 5MiB is not within 1KiB to 4MiB"),
    (
      "request-limit = 9223372036854775807MiB", 1,
      "request-limit: 9223372036854775807MiB is not within 1KiB to 4MiB"
    ),
    (
      "idle-timeout = 5 d", 1, "idle-timeout: \"5 d\" is not a whole number, perhaps with h, min, s"
    ),
    ("idle-timeout = 25h", 1, "idle-timeout: 25h is not within 0s to 1440min"),
    ("drain-timeout = 0", 1, "drain-timeout: 0 is not within 1s to 10min"),
    ("auth0-timeout-ms = 499", 1, "auth0-timeout-ms: 499 is not within 500 to 30000"),
    ("auth0-timeout-ms = 30001", 1, "auth0-timeout-ms: 30001 is not within 500 to 30000"),
    ("audit-segment-size = 63KiB", 1, "audit-segment-size: 63KiB is not within 64KiB to 1024MiB"),
    ("anchor-file = anchor", 1, "anchor-file: anchor is not the absolute path of a file"),
    ("anchor-file = /mnt/", 1, "anchor-file: /mnt/ is not the absolute path of a file"),
    ("auth0-timeout-ms = 3s", 1, "auth0-timeout-ms: \"3s\" is not a whole number"),
    ("allow-uid = no-such-user", 1, "allow-uid: there is no such user: no-such-user"),
    ("allow-uid = 4294967295", 1, "allow-uid: there is no such user: 4294967295"),
    ("allow-uid = 0x10", 1, "allow-uid: there is no such user: 0x10"),
    ("allow-gid = no-such-group", 1, "allow-gid: there is no such group: no-such-group"),
  ])
  func `refuses what it does not know, and says where`(
    text: String, line: Int, reason: String
  ) throws {
    #expect(
      throws: ConfigurationError.badLine(path: "etc/f", line: line, reason: reason)
    ) { try ConfigurationFile.parse(text, path: "etc/f") }
    let error = ConfigurationError.badLine(path: "etc/f", line: line, reason: reason)
    #expect(error.description == "etc/f:\(line): \(reason)")
  }

  @Test func `the documented example names every key and, uncommented, gives the standard`() throws
  {
    let example = ConfigurationFile.example
    #expect(try ConfigurationFile.parse(example, path: "f") == Configuration())
    let settings = example.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^# ([a-z0-9-]+ = .*)$/).map { String($0.1) }
    }
    #expect(settings.count == ConfigurationKey.all.count)
    let values = settings.filter { $0.firstMatch(of: /^(allow|admin)-/) == nil }.joined(
      separator: "\n")
    #expect(try ConfigurationFile.parse(values, path: "f") == Configuration())
  }

  @Test func `reads a file, also through a link`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/latchkey.conf"
    try Data("rate = 7\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try ConfigurationFile.read(path: path).limits.rate == 7)
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try ConfigurationFile.read(path: link).limits.rate == 7)
  }

  @Test(arguments: [0o664, 0o646, 0o666])
  func `refuses a file that others may write`(mode: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/f"
    try Data().write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    #expect(
      throws: ConfigurationError.unsafeFile(
        path: path, reason: "its group or others may write to it")
    ) { try ConfigurationFile.read(path: path) }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a file away"))
  func `refuses a file of another user`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/f"
    try Data().write(to: URL(filePath: path))
    #expect(unsafe chown(path, 12345, 12345) == 0)
    #expect(throws: ConfigurationError.unsafeFile(path: path, reason: "it belongs to uid 12345")) {
      try ConfigurationFile.read(path: path)
    }
  }

  @Test func `refuses what is no text file, without waiting for it`() throws {
    let directory = try TemporaryDirectory()
    let pipe = directory.path + "/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let big = directory.path + "/big"
    try Data(repeating: 0x20, count: 65_537).write(to: URL(filePath: big))
    let binary = directory.path + "/binary"
    try Data([0xFF, 0xFE]).write(to: URL(filePath: binary))
    let cases = [
      (pipe, "not a regular file"), (directory.path, "not a regular file"),
      (directory.path + "/none", "No such file or directory"),
      (big, "it is longer than 65536 bytes"), (binary, "it is not UTF-8 text"),
    ]
    for (path, reason) in cases {
      #expect(throws: ConfigurationError.unreadable(path: path, reason: reason)) {
        try ConfigurationFile.read(path: path)
      }
    }
  }
}
