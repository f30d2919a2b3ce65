/// A parser under test: what to do with one input, and words that make mutations go deeper.
///
/// To add one, write a file in `Targets/` that extends this type with a static member, name it in
/// ``all`` (or in ``inside``, if it uses what its module keeps to itself), and put seeds into
/// `Corpus/<name>/`.
struct FuzzTarget: Sendable {
  /// The name on the command line, and of the folder of seeds.
  let name: String
  /// Octet strings which mutations insert.
  let words: [String]
  /// Whether inputs are ``Records``, and mutations change those.
  let isList: Bool
  /// Parses the input and checks what must hold; a trap is a finding.
  let run: @Sendable (Span<UInt8>) -> Void

  init(
    _ name: String, words: [String] = [], isList: Bool = false,
    run: @escaping @Sendable (Span<UInt8>) -> Void
  ) {
    self.name = name
    self.words = words
    self.isList = isList
    self.run = run
  }

  /// Every target.
  static let all: [FuzzTarget] =
    [
      json, envelope, response, base64, hex, timestamp, namespace, configuration, cgroup, policy,
      keyFile, certificate, tlv, aliroAdvertisement, aliroDocument, aliroPass, aliroTranscript,
      aliroPresentation, noke, flinkey, biqli,
    ] + inside

  /// The target of a name.
  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Ends the process when a property does not hold, as a crash would, so that the input is kept.
func require(_ condition: Bool, _ property: StaticString) {
  guard !condition else { return }
  fatalError("property broken: \(property)")
}

/// A copy of a view, for comparisons.
func copy(_ view: Span<UInt8>) -> [UInt8] {
  var octets: [UInt8] = []
  octets.reserveCapacity(view.count)
  for index in view.indices { octets.append(view[index]) }
  return octets
}
