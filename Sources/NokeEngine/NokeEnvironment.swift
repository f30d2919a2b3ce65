/// Which world a pair belongs to: sandbox locks generally share one key, so the two never mix.
package enum NokeEnvironment: String, CaseIterable, Hashable, Sendable {
  case sandbox, production
}
