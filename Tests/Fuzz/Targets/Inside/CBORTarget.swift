#if DEBUG || LIBFUZZER
  @testable import AliroEngine

  extension FuzzTarget {
    /// CBOR in canonical form: what is read is written back alike, and every item stands where it
    /// says.
    static let cbor = FuzzTarget("cbor", words: ["\u{1}", "aa", "\u{7F}"]) { input in
      let octets = copy(input)
      guard let item = try? CBORDecoder.decode(octets) else { return }
      require(item.encoding == octets.indices, "the item is the whole")
      var count = 0
      require(CBORTarget.encode(item, octets, depth: 0, &count) == octets, "canonical")
      require(count <= CBORDecoder.itemLimit, "no more items than the limit")
    }
  }

  private enum CBORTarget {
    static func encode(
      _ item: CBORItem, _ octets: [UInt8], depth: Int, _ count: inout Int
    ) -> [UInt8] {
      require(depth < CBORDecoder.depthLimit, "no deeper than the limit")
      count += 1
      let encoded = content(item, octets, depth: depth, &count)
      require(encoded.elementsEqual(octets[item.encoding]), "the item stands where it says")
      return encoded
    }

    private static func content(
      _ item: CBORItem, _ octets: [UInt8], depth: Int, _ count: inout Int
    ) -> [UInt8] {
      switch item.content {
      case .unsigned(let value): return PlainCBOR.head(0, value)
      case .negative(let value): return PlainCBOR.head(1, value)
      case .bytes(let value): return PlainCBOR.bytes(value)
      case .text(let value): return PlainCBOR.text(value)
      case .array(let items):
        return PlainCBOR.array(items.map { encode($0, octets, depth: depth + 1, &count) })
      case .map(let pairs):
        require(Set(pairs.map { octets[$0.key.encoding] }).count == pairs.count, "no key twice")
        return PlainCBOR.map(
          pairs.map {
            (
              encode($0.key, octets, depth: depth + 1, &count),
              encode($0.value, octets, depth: depth + 1, &count)
            )
          })
      case .tagged(let number, let inner):
        return PlainCBOR.tagged(number, encode(inner, octets, depth: depth + 1, &count))
      case .boolean(let value): return [value ? 0xF5 : 0xF4]
      case .null: return [0xF6]
      case .undefined: return [0xF7]
      // Numbers of three sizes come out as one type: their octets are taken as they are.
      case .float: return Array(octets[item.encoding])
      }
    }
  }
#endif
