#if DEBUG || LIBFUZZER
  import SecureMemory
  import VaultCrypto
  import VaultStore

  @testable import VaultCore

  extension FuzzTarget {
    /// The bodies of slots, with a checksum that is right: what is taken is written back alike, and
    /// opens for nobody but who has its secret.
    static let slot = FuzzTarget("slot", words: ["latchkey slot"]) { input in
      let octets = copy(input)
      require((try? UnsealSlot(SlotRow(slot: 1, body: octets))) == nil, "no checksum, no slot")
      let checksum = BLAKE2b.hash(octets.span)
      let body = octets + [0, 0, 0, 32] + checksum
      guard let slot = try? UnsealSlot(SlotRow(slot: 1, body: body)) else { return }
      let header = slot.header
      require(octets.starts(with: header.encoded), "canonical")
      require(octets.count == header.encoded.count + 4 + 24 + 4 + 48, "header, nonce and box")
      require(header.vaultID.count == 16 && header.label.utf8.count <= 64, "fields in their bounds")
      require((header.kind == .passphrase) == (header.parameters != nil), "costs of a passphrase")
      // Argon2id takes its time, and the parser has no part in it.
      guard header.kind == .keyFile else { return }
      require(!SlotTarget.opens(slot, with: 0), "another secret opens nothing")
      let isSlot = octets == SlotTarget.genuine
      require(SlotTarget.opens(slot, with: SlotTarget.secret) == isSlot, "nor any other slot")
    }
  }

  private enum SlotTarget {
    /// The octet that the key file's secret is made of.
    static let secret: UInt8 = 7

    /// The one slot of the seeds that a key file opens.
    static let genuine = try? Corpus.seed("key-file", of: "slot")

    static func opens(_ slot: UnsealSlot, with octet: UInt8) -> Bool {
      let octets = [UInt8](repeating: octet, count: 32)
      guard let file = try? SecretBytes(copying: octets.span),
        let secret = try? UnsealSecret(keyFile: file)
      else { fatalError("no memory") }
      return (try? slot.open(with: secret)) != nil
    }
  }
#endif
