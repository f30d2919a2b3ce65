/// Finds the word that was probably meant.
enum Similarity {
  /// The word nearest to what was written, `nil` when none is near.
  static func nearest(to written: String, among words: [String]) -> String? {
    // One slip in three letters; more is another word.
    let limit = max(1, min(3, written.count / 3))
    let near = words.map { (word: $0, distance: distance(written, $0)) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }
    if let near { return near.word }
    // A word that was cut short, when only one begins like it.
    let longer = words.filter { $0.hasPrefix(written) }
    return written.count > 2 && longer.count == 1 ? longer.first : nil
  }

  /// How many letters have to be changed, added, removed or exchanged with their neighbour.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var best = min(
          previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, older[column - 1] + 1)
        }
        current.append(best)
      }
      older = previous
      previous = current
    }
    return previous[right.count]
  }
}
