/// Splits a command line as a shell does, as far as scenarios and examples need it.
enum ShellWords {
  static func split(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch (quote, character) {
      case (nil, "'"), (nil, "\""):
        quote = character
        word = word ?? ""
      case (let open?, character) where open == character: quote = nil
      case (nil, " "):
        if let ended = word { words.append(ended) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
