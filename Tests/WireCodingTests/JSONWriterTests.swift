import Foundation
import SecureMemory
import Testing
import WireCoding

@Suite struct JSONWriterTests {
  @Test func `writes nested containers with their commas`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("a")
    writer.beginArray()
    writer.integer(.min)
    writer.integer(.max)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.boolean(true)
    writer.endArray()
    writer.name("b")
    writer.null()
    writer.name(text: "c\"")
    writer.base64([0xFF, 0xFE])
    writer.name("d")
    writer.timestamp(Timestamp(clamping: 0))
    writer.name("e")
    writer.integer(0)
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"a":[-9223372036854775808,9223372036854775807,{},[],true],"b":null,"#
        + #""c\"":"//4=","d":"1970-01-01T00:00:00Z","e":0}"#)
  }

  @Test func `Foundation reads every character back`() throws {
    var text = ""
    for value in stride(from: UInt32(0), to: 0x11_0000, by: 7) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      text.unicodeScalars.append(scalar)
    }
    for value in UInt32(0)..<0x80 { Unicode.Scalar(value).map { text.unicodeScalars.append($0) } }
    var writer = JSONWriter()
    writer.beginArray()
    writer.string(text)
    writer.endArray()
    let read = try JSONDecoder().decode([String].self, from: Data(writer.bytes))
    #expect(read == [text])
    var secret = try SecretJSONWriter(capacity: writer.bytes.count)
    let octets = Array(text.utf8)
    secret.beginArray()
    secret.string(secret: try SecretBytes(copying: octets.span))
    secret.endArray()
    let isSame = try secret.finish().withBytes { view in
      var isSame = view.count == writer.bytes.count
      for index in view.indices where isSame { isSame = view[index] == writer.bytes[index] }
      return isSame
    }
    #expect(isSame)
  }

  @Test func `a full buffer is an error, not a cut line`() throws {
    for capacity in 0..<9 {
      var writer = try SecretJSONWriter(capacity: capacity)
      writer.beginArray()
      writer.string("abcd")
      writer.endArray()
      let isFull: Bool
      do throws(WireCodingError) {
        isFull = try writer.finish().count != 8
      } catch {
        isFull = error == .bufferFull(capacity: capacity)
      }
      #expect(isFull == (capacity < 8))
    }
  }
}
