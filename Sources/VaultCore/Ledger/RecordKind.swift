/// What a record of a namespace holds; the numbers are in the database and never reused.
package enum RecordKind: Int64, Hashable, Sendable, CaseIterable {
  /// A private key.
  case key = 1
  /// An access pass.
  case pass = 2
  /// What the namespace knows of Aliro readers: persistent keys, group resolving keys.
  case readerContext = 3
  /// An Aliro mailbox.
  case mailbox = 4
  /// A Nokē key pair.
  case noke = 5
  /// Biqli state.
  case biqli = 6
  /// flinkey state.
  case flinkey = 7
  /// What the namespace allows.
  case settings = 8
  /// Which transcripts the presentation key has signed.
  case signedTranscripts = 9
}
