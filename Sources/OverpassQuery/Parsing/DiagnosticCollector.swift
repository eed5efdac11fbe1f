// Collects diagnostics by byte offsets and works out lines and columns at the end.

/// Notes what is wrong while a text is read. Lines and columns cost a walk over the text, so they are
/// worked out once, for the few places that need them.
struct DiagnosticCollector {
  /// More errors than this help nobody.
  static let limit = 50

  private(set) var entries: [(offset: Int, diagnostic: Diagnostic)] = []
  private(set) var errorCount = 0

  var isFull: Bool { errorCount >= DiagnosticCollector.limit }

  mutating func add(_ diagnostic: Diagnostic, at offset: Int) {
    if diagnostic.severity == .error {
      guard !isFull else { return }
      errorCount += 1
      if isFull {
        entries.append(
          (
            offset,
            Diagnostic(.error, .tooManyErrors, "there are too many errors; reading stops here")
          ))
        return
      }
    } else if entries.count >= 2 * DiagnosticCollector.limit {
      return
    }
    entries.append((offset, diagnostic))
  }

  /// The diagnostics in the order of the text, with their positions.
  func located(in text: [UInt8]) -> [Diagnostic] {
    // A stable sort: two findings at one place keep their order.
    let ordered = entries.enumerated().sorted {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }
    let positions = locate(ordered.map(\.element.offset), in: text)
    return zip(ordered, positions).map { entry, position in
      var diagnostic = entry.element.diagnostic
      diagnostic.position = position
      return diagnostic
    }
  }
}

/// Lines and columns of byte offsets, which have to be in ascending order.
func locate(_ offsets: [Int], in text: [UInt8]) -> [SourcePosition] {
  var result: [SourcePosition] = []
  result.reserveCapacity(offsets.count)
  var position = SourcePosition(offset: 0, line: 1, column: 1)
  for offset in offsets {
    let target = min(max(offset, 0), text.count)
    while position.offset < target {
      let byte = text[position.offset]
      position.offset += 1
      if byte == 0x0A {
        position.line += 1
        position.column = 1
      } else if byte & 0xC0 != 0x80 {
        position.column += 1
      }
    }
    result.append(position)
  }
  return result
}

/// The word among `candidates` that `word` was probably meant to be: at most one edit in three letters
/// away.
func closest(to word: String, among candidates: [String]) -> String? {
  let letters = Array(word.lowercased().unicodeScalars.prefix(40))
  guard letters.count > 1 else { return nil }
  var best: (String, Int)?
  for candidate in candidates {
    let distance = editDistance(letters, Array(candidate.unicodeScalars))
    if distance <= max(1, letters.count / 3), distance < best?.1 ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.0
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      var cost = min(
        previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1))
      if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
        cost = min(cost, beforePrevious[column - 1] + 1)
      }
      current.append(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.count]
}
