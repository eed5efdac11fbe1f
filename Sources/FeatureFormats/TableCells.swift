// Cells and rows of a table as text. Source: RFC 4180 §2; OWASP, "CSV Injection".

import OSMModel

/// Rows under construction. Numbers and times go straight into `buffer` after ``begin()``.
struct TableCells: ~Copyable {
  var buffer = TextBuffer()
  private let separator: UInt8
  private let isCommaSeparated: Bool
  private let keepsFormulas: Bool
  private var isFirst = true
  private var rowStart = 0

  init(_ plan: TablePlan) {
    isCommaSeparated = plan.isCommaSeparated
    separator = isCommaSeparated ? UInt8(ascii: ",") : UInt8(ascii: "\t")
    keepsFormulas = plan.keepsFormulas
  }

  /// Begins a cell, which stays empty unless something is appended.
  mutating func begin() {
    if isFirst { rowStart = buffer.bytes.count } else { buffer.append(separator) }
    isFirst = false
  }

  mutating func endRow() {
    // An empty line would be no row for most readers.
    if buffer.bytes.count == rowStart { buffer.append("\"\"") }
    isFirst = true
    buffer.append(isCommaSeparated ? "\r\n" : "\n")
  }

  mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(text: $0) }
  }

  /// Appends a text. An empty one gets quotes, which tell it from no text at all; control characters
  /// other than tabs and line breaks, which end the file for some readers, become U+FFFD.
  mutating func append(text: UnsafeBufferPointer<UInt8>) {
    let isFormula = !keepsFormulas && TableCells.isFormula(text)
    let needsQuotes = text.isEmpty || text.contains { isSpecial($0) }
    if needsQuotes { buffer.append("\"") }
    // Spreadsheets show it, or not, and leave the rest alone.
    if isFormula { buffer.append("'") }
    var plainStart = 0
    for index in text.indices {
      let byte = text[index]
      let isControl =
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F
      guard byte == UInt8(ascii: "\"") || isControl else { continue }
      buffer.append(UnsafeBufferPointer(rebasing: text[plainStart..<index]))
      buffer.append(isControl ? "\u{FFFD}" : "\"\"")
      plainStart = index + 1
    }
    buffer.append(UnsafeBufferPointer(rebasing: text[plainStart...]))
    if needsQuotes { buffer.append("\"") }
  }

  private func isSpecial(_ byte: UInt8) -> Bool {
    byte == separator || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
  }

  /// Whether a spreadsheet may take a text for a formula: it begins with `=`, `+`, `-`, `@`, their
  /// wide forms, a tab or a line break, and is no number.
  static func isFormula(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: return true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return !isNumber(text.dropFirst())
    case 0xEF:
      guard text.count >= 3, text[1] == 0xBC else { return false }
      // U+FF0B, U+FF0D, U+FF1D and U+FF20.
      return text[2] == 0x8B || text[2] == 0x8D || text[2] == 0x9D || text[2] == 0xA0
    default: return false
    }
  }

  /// Whether a text is digits, perhaps with a point between them.
  static func isNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = text.first, let last = text.last else { return false }
    var points = 0
    for byte in text {
      if byte == UInt8(ascii: ".") {
        points += 1
      } else if !WebAddress.isDigit(byte) {
        return false
      }
    }
    return points <= 1 && WebAddress.isDigit(first) && WebAddress.isDigit(last)
  }
}
