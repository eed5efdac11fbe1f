// How a page's security policy names its scripts.

import OSMModel

/// The name of a script in a content security policy. Source: W3C CSP Level 3, §2.3.1.
func scriptHash(_ script: UnsafeBufferPointer<UInt8>) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var hash = SHA256.hash(script)
  // 32 bytes are ten groups of three and one of two.
  hash.append(0)
  var text: [UInt8] = []
  for start in stride(from: 0, to: hash.count, by: 3) {
    let group = hash[start..<(start + 3)].reduce(0) { $0 << 8 | Int($1) }
    for shift in [18, 12, 6, 0] { text.append(alphabet[group >> shift & 63]) }
  }
  return "'sha256-\(String(decoding: text.dropLast(), as: UTF8.self))='"
}
