/// Why the simulated lock goes no further.
package enum ReaderFault: Error, Hashable, Sendable {
  /// The device did something that no lock may accept; a sentence for a person.
  case refused(String)
  /// The simulation itself could not go on, for want of memory, say; nothing the device sent caused
  /// it.
  case computation(String)
}

/// Runs a computation none of whose errors the device can have caused.
func computing<Result: ~Copyable>(_ body: () throws -> Result) throws(ReaderFault) -> Result {
  do {
    return try body()
  } catch let fault as ReaderFault {
    throw fault
  } catch {
    throw .computation("\(error)")
  }
}

/// Reads something of the device's, all of whose errors it has caused.
func refusing<Result: ~Copyable>(
  _ words: String, _ body: () throws -> Result
) throws(ReaderFault) -> Result {
  do {
    return try body()
  } catch let fault as ReaderFault {
    throw fault
  } catch {
    throw .refused(words)
  }
}
