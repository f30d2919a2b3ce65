import CCBOR

/// The head of a CBOR item as libcbor reads it: its kind, and its number, length or count.
///
/// libcbor's streaming decoder reads one head (and the octets of a string) without allocating;
/// its tree builder is not used, since it reserves memory for counts it has not yet checked.
struct CBORToken {
  enum Kind {
    case unsigned, negative, bytes, text, array, map, tag, boolean, null, undefined, float
    /// An indefinite length or its end, which canonical documents do not have.
    case indefinite
  }

  var kind = Kind.indefinite
  /// The number, length, count, tag or bit pattern.
  var value: UInt64 = 0

  /// Reads the token that starts at an offset.
  ///
  /// - Returns: the token and the number of octets it takes, with those of a string; `nil` when
  ///   there is none, or it is cut short.
  static func read(in bytes: [UInt8], at offset: Int) -> (token: CBORToken, count: Int)? {
    guard offset >= 0, offset < bytes.count else { return nil }
    var token = CBORToken()
    let result = unsafe bytes.withUnsafeBufferPointer { buffer in
      // The pointers live for the call alone: libcbor keeps neither the octets nor the context.
      unsafe withUnsafeMutablePointer(to: &token) { context in
        guard let base = buffer.baseAddress else { return cbor_decoder_result() }
        return unsafe withUnsafePointer(to: callbacks) { callbacks in
          unsafe cbor_stream_decode(base + offset, buffer.count - offset, callbacks, context)
        }
      }
    }
    guard result.status == CBOR_DECODER_FINISHED, result.read >= 1,
      result.read <= bytes.count - offset
    else { return nil }
    return (token, result.read)
  }

  /// The number of octets of the shortest head for a value (RFC 8949, section 4.2.1).
  static func shortestHead(_ value: UInt64) -> Int {
    switch value {
    case ..<24: 1
    case ...0xFF: 2
    case ...0xFFFF: 3
    case ...0xFFFF_FFFF: 5
    default: 9
    }
  }

  fileprivate static func store(_ context: UnsafeMutableRawPointer?, _ kind: Kind, _ value: UInt64)
  {
    unsafe context?.assumingMemoryBound(to: CBORToken.self).pointee = CBORToken(
      kind: kind, value: value)
  }
}

/// What libcbor calls for each kind of head: all of them note the token in the context.
///
/// Its context is the token of the call that is running; nothing else is shared.
private let callbacks: cbor_callbacks = {
  var table = cbor_empty_callbacks
  unsafe table.uint8 = { unsafe CBORToken.store($0, .unsigned, UInt64($1)) }
  unsafe table.uint16 = { unsafe CBORToken.store($0, .unsigned, UInt64($1)) }
  unsafe table.uint32 = { unsafe CBORToken.store($0, .unsigned, UInt64($1)) }
  unsafe table.uint64 = { unsafe CBORToken.store($0, .unsigned, $1) }
  unsafe table.negint8 = { unsafe CBORToken.store($0, .negative, UInt64($1)) }
  unsafe table.negint16 = { unsafe CBORToken.store($0, .negative, UInt64($1)) }
  unsafe table.negint32 = { unsafe CBORToken.store($0, .negative, UInt64($1)) }
  unsafe table.negint64 = { unsafe CBORToken.store($0, .negative, $1) }
  unsafe table.byte_string = { unsafe CBORToken.store($0, .bytes, count($2)) }
  unsafe table.string = { unsafe CBORToken.store($0, .text, count($2)) }
  unsafe table.array_start = { unsafe CBORToken.store($0, .array, count($1)) }
  unsafe table.map_start = { unsafe CBORToken.store($0, .map, count($1)) }
  unsafe table.tag = { unsafe CBORToken.store($0, .tag, $1) }
  unsafe table.float2 = { unsafe CBORToken.store($0, .float, Double($1).bitPattern) }
  unsafe table.float4 = { unsafe CBORToken.store($0, .float, Double($1).bitPattern) }
  unsafe table.float8 = { unsafe CBORToken.store($0, .float, $1.bitPattern) }
  unsafe table.boolean = { unsafe CBORToken.store($0, .boolean, $1 ? 1 : 0) }
  unsafe table.null = { unsafe CBORToken.store($0, .null, 0) }
  unsafe table.undefined = { unsafe CBORToken.store($0, .undefined, 0) }
  // The indefinite forms keep their empty callbacks: the token stays `.indefinite`.
  return table
}()

/// A `size_t`, which C's importer shows as a signed number: counts above 2⁶³ − 1 come as negative.
private func count(_ size: Int) -> UInt64 {
  UInt64(UInt(bitPattern: size))
}
