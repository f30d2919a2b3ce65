import CommandLineOptions
import Testing

private enum Shade: String, CaseIterable, Sendable {
  case light, dark
}

private let data = Option<String>.text(
  "data", short: "d", value: "DIR", help: "where the vault is", .required)
private let count = Option<Int>.number("count", short: "n", help: "how many", in: 1...100)
private let shade = Option<Shade>.choice("shade", value: "SHADE", help: "how it looks")
private let label = Option<String>.text(
  "label", short: "l", value: "TEXT", help: "a label", .repeated)
private let verbose = Option<Bool>.flag("verbose", short: "v", help: "says more")
private let quiet = Option<Bool>.flag("quiet", short: "q", help: "says less")

private let tool = Command(
  "tool", summary: "does things",
  options: [.add(data), .add(count), .add(shade), .add(label), .add(verbose), .add(quiet)],
  exclusive: [["verbose", "quiet"]],
  arguments: [
    Command.Argument("FIRST", help: "the first word"),
    Command.Argument("REST", help: "further words", isOptional: true, isRepeated: true),
  ],
  examples: [Command.Example("tool -d /tmp a", "does a")])

private let force = Option<Bool>.flag("force", short: "f", help: "does it all the same")

private let family = Command(
  "family", summary: "has commands", options: [.add(verbose)],
  subcommands: [
    Command(
      "slot", summary: "looks after slots",
      subcommands: [
        Command("list", summary: "lists slots"),
        Command(
          "remove", summary: "removes a slot", options: [.add(force)],
          arguments: [Command.Argument("SLOT", help: "its number")]),
      ]),
    Command("status", summary: "says how it is"),
  ])

@Suite struct ParserTests {
  private func parsed(_ command: Command, _ line: String) throws -> ParsedCommand {
    let outcome = try command.parse(line.split(separator: " ").map(String.init))
    guard case .run(let result) = outcome else {
      Issue.record("\(outcome)")
      throw CommandLineError.missingCommand(of: "")
    }
    return result
  }

  @Test(arguments: [
    "--data /v --count 5 a", "--data=/v --count=5 a", "-d /v -n 5 a", "-d/v -n5 a", "-d=/v -n=5 a",
    "a --data /v -n 5", "-n 5 a -d /v", "--data /v --count 5 -- a",
  ])
  func `takes options in every usual form and order`(line: String) throws {
    let result = try parsed(tool, line)
    #expect(result[data] == "/v")
    #expect(try result.require(data) == "/v")
    #expect(result[count] == 5)
    #expect(result.arguments == ["a"])
    #expect(result[shade] == nil)
    #expect(!result[verbose])
  }

  @Test func `takes choices, repeated options, flags together and a single dash`() throws {
    let result = try parsed(tool, "-d / --shade dark -l one --label=two -lthree -v - x --label -")
    #expect(result[shade] == .dark)
    #expect(result.all(label) == ["one", "two", "three", "-"])
    #expect(result[verbose])
    #expect(result.arguments == ["-", "x"])
    #expect(result.argument(1) == "x")
    #expect(result.argument(2) == nil)
    #expect(try parsed(tool, "-vd / a")[data] == "/")
  }

  @Test func `two dashes end the options`() throws {
    let result = try parsed(tool, "-d / -- --count -v -- --help")
    #expect(result.arguments == ["--count", "-v", "--", "--help"])
    #expect(result[count] == nil)
  }

  @Test func `a value after an equals sign may be anything`() throws {
    #expect(try parsed(tool, "--data=--count a")[data] == "--count")
    #expect(try parsed(tool, "--data=a=b a")[data] == "a=b")
  }

  @Test(arguments: [
    (
      "--dta / a", CommandLineError.unknownOption("--dta", suggestion: "--data"),
      "there is no option --dta; did you mean --data?"
    ),
    (
      "--cuont=3 a", .unknownOption("--cuont", suggestion: "--count"),
      "there is no option --cuont; did you mean --count?"
    ),
    (
      "--verb a", .unknownOption("--verb", suggestion: "--verbose"),
      "there is no option --verb; did you mean --verbose?"
    ),
    ("--xyzzy a", .unknownOption("--xyzzy", suggestion: nil), "there is no option --xyzzy"),
    (
      "-data / a", .unknownOption("-data", suggestion: "--data"),
      "there is no option -data; did you mean --data?"
    ),
    ("-x a", .unknownOption("-x", suggestion: nil), "there is no option -x"),
    ("-vx a", .unknownOption("-x", suggestion: nil), "there is no option -x"),
    (
      "-verbose=1 a", .unknownOption("-verbose", suggestion: "--verbose"),
      "there is no option -verbose; did you mean --verbose?"
    ),
    (
      "--data", .missingValue(option: "--data", valueName: "DIR"),
      "--data needs a value: --data DIR"
    ),
    ("a -d", .missingValue(option: "-d", valueName: "DIR"), "-d needs a value: -d DIR"),
    (
      "--data --count 3", .suspiciousValue(option: "--data", word: "--count"),
      "--data needs a value, but --count follows; write --data=--count if it is meant"
    ),
    (
      "--data= a", .badValue(option: "--data", word: "", expected: "a word that is not empty"),
      "--data takes a word that is not empty, not \"\""
    ),
    ("--verbose=yes a", .unexpectedValue(option: "--verbose"), "--verbose takes no value"),
    (
      "--count 0 a",
      .badValue(option: "--count", word: "0", expected: "a whole number from 1 to 100"),
      "--count takes a whole number from 1 to 100, not \"0\""
    ),
    (
      "--count -5 a",
      .badValue(option: "--count", word: "-5", expected: "a whole number from 1 to 100"),
      "--count takes a whole number from 1 to 100, not \"-5\""
    ),
    (
      "--count +5 a",
      .badValue(option: "--count", word: "+5", expected: "a whole number from 1 to 100"),
      "--count takes a whole number from 1 to 100, not \"+5\""
    ),
    (
      "--shade grey a",
      .badValue(option: "--shade", word: "grey", expected: "one of light, dark"),
      "--shade takes one of light, dark, not \"grey\""
    ),
    ("-d / -n 1 -n 2 a", .repeatedOption("--count"), "--count was given twice"),
    ("a", .missingOption("--data DIR"), "--data DIR is missing"),
    (
      "-d / -v -q a", .exclusiveOptions("--verbose", "--quiet"),
      "--verbose and --quiet exclude each other"
    ),
    ("-d /", .missingArgument("FIRST"), "FIRST is missing"),
  ])
  func `names the word that is wrong`(
    line: String, expected: CommandLineError, message: String
  ) throws {
    let error = #expect(throws: CommandLineError.self) { try parsed(tool, line) }
    #expect(error == expected)
    #expect(error?.description == message)
  }

  @Test func `finds commands below commands, with the options of those above`() throws {
    let result = try parsed(family, "slot -v remove 3 --force")
    #expect(result.path == ["family", "slot", "remove"])
    #expect(result.name == "remove")
    #expect(result.argument(0) == "3")
    #expect(result[force])
    #expect(result[verbose])
    #expect(try parsed(family, "status --verbose")[verbose])
  }

  @Test(arguments: [
    ("slto", CommandLineError.unknownCommand("slto", suggestion: "slot")),
    ("slot lst", .unknownCommand("lst", suggestion: "list")),
    ("stat", .unknownCommand("stat", suggestion: "status")),
    ("fly", .unknownCommand("fly", suggestion: nil)),
    ("", .missingCommand(of: "family")),
    ("slot", .missingCommand(of: "family slot")),
    ("slot list x", .unexpectedArgument("x")),
    ("slot remove", .missingArgument("SLOT")),
    ("--force slot remove 3", .unknownOption("--force", suggestion: nil)),
  ])
  func `names the command that is wrong`(line: String, expected: CommandLineError) throws {
    #expect(throws: expected) { try parsed(family, line) }
  }

  @Test func `asks for help and version win over what is wrong after them`() throws {
    for line in [["--help"], ["-h", "--nonsense"], ["-v", "--help"]] {
      guard case .help(let text) = try tool.parse(line) else {
        Issue.record("no help for \(line)")
        continue
      }
      #expect(text.hasPrefix("tool: does things\n"))
    }
    guard case .version = try tool.parse(["--version"]) else {
      Issue.record("no version")
      return
    }
    guard case .help(let text) = try family.parse(["slot", "remove", "--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(text.hasPrefix("family slot remove: removes a slot\n\nUsage: family slot remove "))
    #expect(text.contains("--force") && text.contains("--verbose"))
  }
}

@Suite struct HelpTests {
  @Test func `the help tells everything, within 80 columns`() throws {
    guard case .help(let text) = try tool.parse(["--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(
      text == """
        tool: does things

        Usage: tool --data DIR [OPTION…] FIRST [REST…]

        Arguments:
          FIRST                   the first word
          REST                    further words

        Options:
          -d, --data DIR          where the vault is (required)
          -n, --count N           how many
              --shade SHADE       how it looks
          -l, --label TEXT        a label (may be given again)
          -v, --verbose           says more
          -q, --quiet             says less
          -h, --help              print this help and end
              --version           print the version and end

        Examples:
          # does a
          tool -d /tmp a

        """)
  }

  @Test func `long explanations are wrapped and tables kept`() throws {
    let long = Option<String>.text(
      "a-rather-long-name", value: "VALUE",
      help: Array(repeating: "explanation", count: 12).joined(separator: " "))
    let command = Command(
      "c", summary: "s",
      discussion: Array(repeating: "prose", count: 30).joined(separator: " ")
        + "\n\n  64   kept    as it is",
      options: [.add(long)])
    guard case .help(let text) = try command.parse(["-h"]) else {
      Issue.record("no help")
      return
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(text.contains("\n  64   kept    as it is\n"))
    #expect(text.contains("--a-rather-long-name VALUE\n                          explanation"))
  }
}
