// UTF-8 for expat: bytes that belong to no character become U+FFFD, because one bad value of an attic
// answer must not cost the rest. Source: drolbr/Overpass-API issue 241.

import OSMModel

/// Checks portions of a text and mends them. A character cut by the end of a portion is held back.
struct XMLTextInput: ~Copyable {
  private var isChecked = true
  /// A character cut by the end of the last portion.
  private(set) var heldBack = Column<UInt8>()
  /// The last portion, mended.
  private(set) var mended = Column<UInt8>()
  /// Bytes seen so far, as they came.
  private var seen = 0
  /// Where the input had bytes that were replaced.
  private(set) var mendedOffsets = Column<Int>()

  init() {}

  /// Takes a portion; true if ``mended`` is to be parsed in its place.
  mutating func take(_ portion: UnsafeBufferPointer<UInt8>, isFirst: Bool, strict: Bool)
    throws(Fault) -> Bool
  {
    if isFirst { isChecked = XMLTextInput.isUTF8(portion) }
    guard isChecked else { return false }
    let start = seen - heldBack.count
    seen += portion.count
    if heldBack.isEmpty, UTF8Check.firstInvalid(portion) == nil { return false }
    let joined = Array(heldBack.buffer) + portion
    heldBack.truncate(to: 0)
    mended.truncate(to: 0)
    let fault = joined.withUnsafeBufferPointer { mend($0, start: start, strict: strict) }
    if let fault { throw fault }
    return true
  }

  private mutating func mend(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, strict: Bool)
    -> Fault?
  {
    var rest = bytes
    while let bad = UTF8Check.firstInvalid(rest) {
      mended.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<bad]))
      rest = UnsafeBufferPointer(rebasing: rest[bad...])
      if UTF8Check.isBeginningOfCharacter(rest) {
        heldBack.append(contentsOf: rest)
        return nil
      }
      let offset = start + bytes.count - rest.count
      if strict {
        return Fault(kind: .text, message: "text that is not UTF-8", offset: offset)
      }
      mendedOffsets.append(offset)
      for byte in UTF8Check.replacement { mended.append(byte) }
      rest = UnsafeBufferPointer(rebasing: rest[1...])
    }
    mended.append(contentsOf: rest)
    return nil
  }

  /// The place in the input as it came of a place in the mended text: each replaced byte became
  /// three.
  func originalOffset(_ offset: Int) -> Int {
    let growth = UTF8Check.replacement.count - 1
    var low = 0
    var high = mendedOffsets.count
    while low < high {
      let middle = (low + high) / 2
      if mendedOffsets[middle] + growth * middle < offset {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return offset - growth * low
  }

  /// Whether the text is UTF-8, by its byte order mark and its declaration. Expat converts other
  /// encodings that it knows.
  private static func isUTF8(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE]) { return false }
    let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let head = text[start...].prefix(200)
    guard head.starts(with: "<?xml".utf8) else { return true }
    let declaration = head.prefix { $0 != UInt8(ascii: ">") }
    let encoding = String(decoding: declaration, as: UTF8.self).lowercased()
    guard encoding.containsText("encoding") else { return true }
    return encoding.containsText("utf-8") || encoding.containsText("utf8")
      || encoding.containsText("us-ascii")
  }
}
