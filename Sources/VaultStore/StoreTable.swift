/// The tables of the vault.
public enum StoreTable: String, Hashable, Sendable, CaseIterable {
  case vault, slot, policy, state
  case indexGroup = "index_group"
  case indexPage = "index_page"
  case namespace, record
  case auditOutbox = "audit_outbox"
  case readerGroup = "reader_group"
}
