import Testing

@testable import VaultCore

/// Who comes when, and who does not.
@Suite struct TurnQueueTests {
  private func all(_ queue: TurnQueue<String>) -> [String] {
    var found: [String] = []
    while let next = queue.take() { found.append(next) }
    return found
  }

  @Test func `users take turns, and what is one user's comes in its order`() {
    let queue = TurnQueue<String>(bound: 20, userBound: 10)
    for element in ["a1", "a2", "a3", "a4"] { #expect(queue.add(element, of: 1)) }
    for element in ["b1", "b2"] { #expect(queue.add(element, of: 2)) }
    #expect(queue.add("c1", of: 3))
    #expect(queue.take() == "a1")
    // Who had nothing waiting comes after all others.
    #expect(queue.add("d1", of: 4))
    #expect(all(queue) == ["b1", "c1", "a2", "d1", "b2", "a3", "a4"])
    #expect(queue.add("a5", of: 1))
    #expect(all(queue) == ["a5"])
  }

  @Test func `no user has more than its share, and all together no more than there is room`() {
    let queue = TurnQueue<String>(bound: 5, userBound: 3)
    for number in 1...4 { #expect(queue.add("a\(number)", of: 1) == (number <= 3)) }
    for number in 1...3 { #expect(queue.add("b\(number)", of: 2) == (number <= 2)) }
    #expect(!queue.add("c1", of: 3))
    #expect(queue.take() == "a1")
    #expect(queue.add("c1", of: 3) && !queue.add("a5", of: 1))
    #expect(all(queue) == ["b1", "a2", "c1", "b2", "a3"])
    #expect(queue.take() == nil)
  }
}
