/// A place in a JSON text at which a reader can go on later.
public struct JSONMark: Hashable, Sendable {
  let offset: Int
  let depth: Int
}
