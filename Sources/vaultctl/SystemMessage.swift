import Glibc

/// The C library's words for an error number, such as "Permission denied".
func systemMessage(_ number: Int32) -> String {
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}
