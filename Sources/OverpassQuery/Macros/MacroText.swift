// Finding the macros of overpass turbo in a text.

extension Query {
  /// The first part of a text that looks like `{{name}}` or `{{name:…}}`.
  static func firstMacro(in text: String) -> String? {
    let bytes = Array(text.utf8)
    var index = 0
    while index + 4 < bytes.count {
      guard bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{"),
        isWordStart(bytes[index + 2])
      else {
        index += 1
        continue
      }
      var end = index + 2
      while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "}") { end += 1 }
      if end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "}") {
        return String(decoding: bytes[index..<end + 2], as: UTF8.self)
      }
      index = end
    }
    return nil
  }
}
