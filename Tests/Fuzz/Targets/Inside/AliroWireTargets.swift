#if DEBUG || LIBFUZZER
  import WireCoding

  @testable import AliroEngine

  extension FuzzTarget {
    /// Command APDUs, and the fields of AUTH0 and AUTH1: parts make up the command that was read,
    /// and unknown tags mean nothing.
    static let aliroCommand = FuzzTarget("aliro-command") { input in
      let octets = copy(input)
      guard let command = try? CommandAPDU(octets) else { return }
      let classOctet = command.instruction.classOctet | (command.isChained ? 0x10 : 0)
      var written = [classOctet, command.instruction.rawValue, command.p1, command.p2]
      if !command.data.isEmpty { written += [UInt8(clamping: command.data.count)] + command.data }
      require(octets.starts(with: written), "a command is its parts")
      let rest = octets.dropFirst(written.count)
      require(rest.isEmpty || rest.count == 1, "nothing but Le follows")
      let known = WireTarget.known(command.data, command.instruction)
      switch command.instruction {
      case .auth0:
        WireTarget.check(try? Auth0Command(command.data), known.flatMap { try? Auth0Command($0) })
      case .auth1:
        WireTarget.check(try? Auth1Command(command.data), known.flatMap { try? Auth1Command($0) })
      default: break
      }
    }

    /// Messages of the BLE channel: what is read is written back alike, attributes included.
    static let aliroMessage = FuzzTarget("aliro-message") { input in
      let octets = copy(input)
      guard let message = try? BLEMessage(input) else { return }
      require(message.encoded == octets, "canonical")
      require(message.header(count: message.payload.count) + message.payload == octets, "a header")
      _ = message.kind
      guard let attributes = try? BLEAttributes(message.payload) else { return }
      let values = (UInt8.min...UInt8.max).compactMap { id in attributes[id].map { (id, $0) } }
      require(
        values.reduce(0) { $0 + 2 + $1.1.count } == message.payload.count, "attributes, no more")
      let written = values.map { BLEAttributes.encode($0, $1) }
      let again = try? BLEAttributes(Array(written.reversed().joined()))
      require(
        values.allSatisfy { id, value in again?[id] == value }, "their order means nothing")
    }
  }

  private enum WireTarget {
    /// A command's data without the tags that the device does not know; `nil` when it is no TLV.
    static func known(_ data: [UInt8], _ instruction: CommandAPDU.Instruction) -> [UInt8]? {
      guard let elements = try? TLVReader.elements(in: data.span) else { return nil }
      let tags: [TLVTag] =
        instruction == .auth0
        ? [0x41, 0x42, 0x5C, 0x87, 0x4C, 0x4D, 0xB1] : [0x41, 0x9E, 0x90]
      return elements.filter { tags.contains($0.tag) }.flatMap { data[$0.encoding] }
    }

    static func check(_ command: Auth0Command?, _ known: Auth0Command?) {
      guard let command else { return require(known == nil, "unknown tags mean nothing") }
      require(command.flags == known?.flags, "unknown tags mean nothing")
      require(command.readerIdentifier == known?.readerIdentifier, "unknown tags mean nothing")
      require(command.vendorExtension == known?.vendorExtension, "unknown tags mean nothing")
      require(command.readerIdentifier.count == 32, "a reader identifier is 32 octets")
      require(command.transactionIdentifier.count == 16, "a transaction identifier is 16 octets")
      require(command.flags.count == 2 && command.isFast == (command.flags[0] == 1), "flags")
      require(command.forcesUserAuthentication == (command.flags[1] == 3), "policy")
      require((command.vendorExtension ?? []).count <= 129, "a vendor extension is short")
    }

    static func check(_ command: Auth1Command?, _ known: Auth1Command?) {
      guard let command else { return require(known == nil, "unknown tags mean nothing") }
      require(command.signature == known?.signature, "unknown tags mean nothing")
      require(command.certificate == known?.certificate, "unknown tags mean nothing")
      require(command.signature.count == 64, "a signature is 64 octets")
    }
  }
#endif
