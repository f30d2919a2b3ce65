import Testing

@testable import BiqliEngine

/// What the service answers, and what is left of it.
@Suite struct BiqliAnswerTests {
  private static let syntax = BiqliError.parameter(
    "result", due: "the JSON object of a response, no name twice in an object")

  @Test func `the receipt is taken out, and the rest stays as it is`() throws {
    let (result, receipt) = try answer(Sample.response(matchedBy: "exact_handoff"))
    #expect(receipt == "r-1" && result.isMatch)
    #expect(result.text == Sample.response(matchedBy: "exact_handoff", receipt: nil))
  }

  @Test(arguments: [nil, "null"])
  func `an answer may have no receipt`(receipt: String?) throws {
    let found = try answer(Sample.response(receipt: receipt))
    #expect(found.receipt == nil && found.result.text == Sample.response(receipt: nil))
  }

  @Test(arguments: [
    #","metadata":{"attributionReceipt":"canary"}"#,
    #","x":[{"attributionReceipt":"canary","y":1}]"#,
    #","x":{"y":[[{"z":{"attributionReceipt":["canary",{"attributionReceipt":"canary"}]}}]]}"#,
    #","x":{"\u0061ttribution\u0052eceipt":"canary"}"#,
    #","x":{ "attributionReceipt" : "canary" }"#,
    #","x":{"attributionReceipt":{"canary":"canary"},"attributionReceiptX":1}"#,
  ])
  func `a receipt is taken out wherever it stands, however its name is written`(more: String) throws
  {
    let found = try answer(Sample.response(receipt: #""canary""#, more: more))
    #expect(!found.result.text.contains("canary") && found.receipt == "canary")
    // Read again, nothing is left to be taken out.
    #expect(try answer(found.result.text).result == found.result)
  }

  @Test func `an escaped name and an escaped receipt are read as what they mean`() throws {
    let text = Sample.response(receipt: nil, more: #","attribution\u0052eceipt":"a\/\u00e9\n""#)
    let found = try answer(text)
    #expect(found.receipt == "a/é\n" && found.result.text == Sample.response(receipt: nil))
  }

  @Test func `white space goes, and numbers and escapes of metadata stay as they came`() throws {
    let metadata =
      #"{"n":1.50e+3,"m":-0,"big":123456789012345678901234567890,"s":"\u00e9 \/","é":[ ]}"#
    let text = """
      {\t"open" : { "id" : "o" , "firstOpen" : false , "matchedBy":"probabilistic",
        "confidence" : "probabilistic" } , "requestId" : "q", "click":{"id":"c"},
       "link":{"id":"l","shortUrl":"s","route":"r"},
       "attribution" : { "referralCode" : null , "metadata" : \(metadata) , "dynamic" : {"a":"b"}}}\r\n
      """
    let found = try answer(text)
    #expect(
      found.result.text == #"{"open":{"id":"o","firstOpen":false,"matchedBy":"probabilistic","#
        + #""confidence":"probabilistic"},"requestId":"q","click":{"id":"c"},"#
        + #""link":{"id":"l","shortUrl":"s","route":"r"},"attribution":{"referralCode":null,"#
        + #""metadata":{"n":1.50e+3,"m":-0,"big":123456789012345678901234567890,"#
        + #""s":"\u00e9 \/","é":[]},"dynamic":{"a":"b"}}}"#)
    #expect(found.result.isMatch && found.receipt == nil)
  }

  @Test(arguments: [
    ("exact_app_link", true), ("exact_install_referrer", true), ("exact_handoff", true),
    ("probabilistic", true), ("none", false),
  ])
  func `a match is what was matched by something`(word: String, isMatch: Bool) throws {
    #expect(try answer(Sample.response(matchedBy: word)).result.isMatch == isMatch)
  }

  @Test(arguments: [
    ("", "result"), ("null", "result"), ("[]", "result"), ("\"\"", "result"), ("{}", "result.open"),
    ("{", "result"), ("{}x", "result"), ("{\"a\":1,\"a\":1}", "result"), ("{\"a\":01}", "result"),
    ("{\"open\":{}}", "result.open.id"), ("{\"open\":null}", "result.open"),
    ("{\"open\":[]}", "result.open"), ("{\"open\":{\"id\":1}}", "result.open.id"),
    ("{\"x\":{\"a\":1,\"\\u0061\":2}}", "result"), ("{\"x\":\"\\ud800\"}", "result"),
    ("{\"attributionReceipt\":1}x", "result"), ("{\"attributionReceipt\":01}", "result"),
    ("{\"attributionReceipt\":\"a\",\"attributionReceipt\":\"b\"}", "result"),
  ])
  func `refuses what is no answer, and says where`(text: String, path: String) {
    #expect {
      _ = try answer(text)
    } throws: { error in
      guard case BiqliError.parameter(path, let due)? = error as? BiqliError else { return false }
      return !due.isEmpty
    }
  }

  @Test(arguments: [
    ("\"none\",", "\"None\",", "result.open.matchedBy"),
    ("\"none\",", "null,", "result.open.matchedBy"),
    ("\"none\"}", "\"sure\"}", "result.open.confidence"), ("true", "1", "result.open.firstOpen"),
    ("\"q1\"", "null", "result.requestId"), ("\"q1\"", "1", "result.requestId"),
    ("\"click\":null", "\"click\":1", "result.click"),
    ("\"click\":null", "\"click\":{}", "result.click.id"),
    ("\"link\":null", "\"link\":{\"id\":\"l\",\"shortUrl\":\"s\"}", "result.link.route"),
    (
      "\"attribution\":null", "\"attribution\":{\"referralCode\":1}",
      "result.attribution.referralCode"
    ),
    (
      "\"attribution\":null", "\"attribution\":{\"dynamic\":{\"a\":1}}",
      "result.attribution.dynamic"
    ),
    ("\"attribution\":null", "\"attribution\":\"x\"", "result.attribution"),
  ])
  func `refuses a member of another type, and says which`(from: String, to: String, path: String) {
    let text = Sample.response().replacing(from, with: to)
    #expect {
      _ = try answer(text)
    } throws: { error in
      guard case BiqliError.parameter(path, let due)? = error as? BiqliError else { return false }
      return !due.isEmpty
    }
  }

  @Test(arguments: ["1", "true", "[]", "[\"a\"]", "{}", "{\"a\":\"b\"}"])
  func `refuses a receipt that is no text, and says so`(receipt: String) {
    let error = BiqliError.parameter("result.attributionReceipt", due: "a text")
    #expect(throws: error) { _ = try answer(Sample.response(receipt: receipt)) }
    // Elsewhere a member of this name is none, and goes whatever it is.
    #expect(throws: Never.self) {
      _ = try answer(Sample.response(more: #","x":{"attributionReceipt":\#(receipt)}"#))
    }
  }

  @Test func `takes sixteen levels and 65,536 octets, and no more`() throws {
    let levels = { (count: Int) in
      Sample.response(
        more: #","x":"# + String(repeating: "[", count: count)
          + String(repeating: "]", count: count))
    }
    #expect(try !answer(levels(15)).result.isMatch)
    #expect(throws: Self.syntax) { _ = try answer(levels(16)) }
    let room = BiqliResult.maximumCount - Sample.response(more: #","x":"""#).utf8.count
    let fill = { (count: Int) in
      Sample.response(more: #","x":""# + String(repeating: "a", count: count) + #"""#)
    }
    #expect(fill(room).utf8.count == BiqliResult.maximumCount)
    #expect(try answer(fill(room)).receipt == "r-1")
    #expect(throws: BiqliError.parameter("result", due: "at most 65536 octets")) {
      _ = try answer(fill(room + 1))
    }
  }

  @Test func `a result that is stored is one without receipts, written as answers are`() throws {
    let good = Sample.response(matchedBy: "exact_handoff", receipt: nil)
    #expect(BiqliResult(stored: Array(good.utf8))?.isMatch == true)
    for text in [
      Sample.response(matchedBy: "exact_handoff"), Sample.response(receipt: "null"), good + " ",
      "{}",
      "", good.replacing(":", with: ": "),
    ] { #expect(BiqliResult(stored: Array(text.utf8)) == nil) }
  }
}
