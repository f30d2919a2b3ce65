package import WireCoding

extension VaultWorker {
  /// How many gaps between the namespaces that a caller may see an I/O thread steps over.
  static let gapLimit = 4_096

  /// Lists the namespaces that the caller may list, by name, tombstones included.
  ///
  /// Neither the page nor where the next one begins depends on any other namespace. A page whose
  /// namespaces lie far apart among others is made by the thread for slow reads.
  ///
  /// - Parameters:
  ///   - prefix: what the names begin with, empty for all.
  ///   - after: the name that they come after, `nil` for the start; it need not be one.
  ///   - limit: the most namespaces, 1 to 1,000.
  ///   - subject: who asks.
  ///   - reply: given the page.
  package func listNamespaces(
    prefix: String, after: NamespaceName?, limit: Int, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<NamespacePage>
  ) {
    let entry = AuditEntry("namespace.list", by: subject)
    let reach = reach(of: entry.method, by: subject)
    do throws(VaultError) {
      let page = try read { snapshot throws(LedgerError) in
        try snapshot.list(
          after: after?.rawValue, prefix: prefix, limit: limit, within: reach,
          gaps: Self.gapLimit)
      }
      if let page { return vault.answer(page, entry, reply) }
    } catch {
      return refuse(entry, error, reply)
    }
    readSlowly(entry, reply) { vault throws(VaultError) in
      let page: NamespacePage?
      do throws(LedgerError) {
        page = try LedgerReader(vault.ledger).read { snapshot throws(LedgerError) in
          try snapshot.list(after: after?.rawValue, prefix: prefix, limit: limit, within: reach)
        }
      } catch { throw VaultError(error) }
      vault.answer(page ?? NamespacePage(), entry, reply)
    }
  }
}
