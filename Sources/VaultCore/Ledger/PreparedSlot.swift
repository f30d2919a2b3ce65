/// A slot that was made but not stored yet; making one is slow, storing it is not.
package struct PreparedSlot: Hashable, Sendable {
  let body: [UInt8]
}
