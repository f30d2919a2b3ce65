/// How a box stands, as it is shown.
package enum FlinkeyBoxState: String, Hashable, Sendable {
  case drawerOpen = "drawer_open"
  case unlocked, locked
}
