import WireCoding

// How the words of a rule are read.

extension PolicySubject {
  /// Reads a subject.
  ///
  /// - Parameters:
  ///   - word: the word.
  ///   - line: its line.
  ///   - strictly: whether digits have to be a number that a user can have; otherwise such a word is
  ///     a name like any other, which no account has.
  /// - Throws: ``PolicyFault``.
  init(_ word: String, line: Int, strictly: Bool) throws(PolicyFault) {
    func fault(_ reason: String) -> PolicyFault {
      PolicyFault(line: line, word: word, reason: reason)
    }
    guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw fault("no subject: user:NAME, group:NAME and unit:NAME.service are")
    }
    let name = String(word[word.utf8.index(after: colon)...])
    switch word[..<colon] {
    case "user":
      guard let account = Account(name, strictly: strictly) else {
        throw fault("no name and no number of a user")
      }
      self = .user(account)
    case "group":
      guard let account = Account(name, strictly: strictly) else {
        throw fault("no name and no number of a group")
      }
      self = .group(account)
    case "unit":
      guard Self.isUnit(name) else {
        throw fault("no full name of a service: unit:NAME.service, an instance with its @")
      }
      self = .unit(name)
    default: throw fault("no such kind of subject: there are user, group and unit")
    }
  }

  /// Whether a name is one that systemd can give a running service.
  private static func isUnit(_ name: String) -> Bool {
    let suffix = ".service"
    guard name.utf8.count <= 255, name.hasSuffix(suffix) else { return false }
    let stem = name.utf8.dropLast(suffix.utf8.count)
    return !stem.isEmpty && stem.first != UInt8(ascii: "@") && stem.last != UInt8(ascii: "@")
      && stem.allSatisfy { $0.isLetterOrDigit || ":_.\\@-".utf8.contains($0) }
  }
}

extension PolicySubject.Account {
  fileprivate init?(_ text: String, strictly: Bool) {
    let octets = text.utf8
    guard (1...64).contains(octets.count), octets.first != UInt8(ascii: "-"),
      octets.allSatisfy({ $0.isLetterOrDigit || "_.-".utf8.contains($0) })
    else { return nil }
    if let number = PolicyLine.account(text) {
      self = .number(number)
    } else if strictly, octets.allSatisfy({ $0.isDigit }) {
      return nil
    } else {
      self = .name(text)
    }
  }
}

extension MethodPattern {
  /// Reads a pattern.
  ///
  /// - Parameters:
  ///   - word: the word.
  ///   - line: its line.
  ///   - methods: the methods it may mean; `nil` takes every word of the right form.
  /// - Throws: ``PolicyFault``.
  init(_ word: String, line: Int, among methods: [String]?) throws(PolicyFault) {
    if word == "*" {
      self = .all
      return
    }
    if let preset = PolicyPreset(rawValue: word) {
      self = .preset(preset)
      return
    }
    let isGroup = word.hasSuffix(".*")
    let name = isGroup ? String(word.dropLast(2)) : word
    let pattern: MethodPattern = isGroup ? .group(name) : .method(name)
    guard Self.isName(name) else {
      throw PolicyFault(line: line, word: word, reason: "no method, no GROUP.*, and no preset")
    }
    if let methods, !methods.contains(where: { pattern.matches($0) }) {
      throw PolicyFault(
        line: line, word: word,
        reason: isGroup
          ? "no method of such a group is decided by a policy"
          : "no preset, and no method that a policy decides about")
    }
    self = pattern
  }

  /// Whether a text has the form of a method's name: words of letters, digits and `_` with dots
  /// between them.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 64
      && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy
      {
        !$0.isEmpty && $0.allSatisfy { $0.isLowercase || $0.isDigit || $0 == UInt8(ascii: "_") }
      }
  }
}

extension NamespacePattern {
  /// Reads a pattern; one that can match no name is refused.
  init(_ word: String, line: Int) throws(PolicyFault) {
    do throws(WireCodingError) {
      if word == "**" {
        self = .all
      } else if word.hasSuffix("/**") {
        let name = String(word.dropLast(3))
        _ = try NamespacePrefix(name + "/")
        self = .below(try NamespaceName(name))
      } else if word.hasSuffix("/*") {
        let name = String(word.dropLast(2))
        _ = try NamespacePrefix(name + "/")
        self = .children(try NamespaceName(name))
      } else {
        self = .exactly(try NamespaceName(word))
      }
    } catch {
      throw PolicyFault(
        line: line, word: word,
        reason: "no pattern of a namespace's name: NAME, NAME/*, NAME/** and ** are")
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  fileprivate var isLetterOrDigit: Bool {
    isDigit || isLowercase || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
