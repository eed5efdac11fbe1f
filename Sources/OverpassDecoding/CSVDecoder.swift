// CSV as the server writes it: it quotes a value that holds a comma, a quote or a line break, whatever
// the separator is, and doubles quotes inside. Source: Overpass API, output_csv.cc, escape_csv.

import OSMModel

/// Reads the rows of one answer.
struct CSVDecoder: ~Copyable {
  private let input: UnsafeBufferPointer<UInt8>
  private let separator: [UInt8]
  private let strictText: Bool
  private var position = 0
  private var endsWithCarriageReturns = false
  /// Whether a quoted cell does not end.
  private var stopsInQuotes = false
  private(set) var columns: [CSVAnswer.Column] = []
  private var strings = StringTable()
  private var cells = Column<Int64>()
  private var rowEnds = Column<Int>()
  private var problems: [CSVAnswer.Problem] = []
  /// Bytes of the cell being read, where they differ from the input's.
  private var scratch = Column<UInt8>()

  init(_ input: UnsafeBufferPointer<UInt8>, separator: String, options: DecodeOptions) {
    self.input = input
    self.separator = Array(separator.utf8)
    strictText = options.strictText
  }

  /// Reads the head line, or takes the columns given in its place.
  mutating func readHead(_ given: [CSVAnswer.Column]?, hasHead: Bool) throws(Fault) {
    if let lineEnd = input.firstIndex(of: UInt8(ascii: "\n")), lineEnd > 0 {
      endsWithCarriageReturns = input[lineEnd - 1] == UInt8(ascii: "\r")
    }
    if hasHead {
      var isLast = position >= input.count
      while !isLast {
        let cell = nextCell(nil)
        isLast = cell.isLast
        columns.append(.named(String(decoding: cell.bytes, as: UTF8.self)))
      }
    }
    if let given { columns = given }
    guard columns.count <= CSVDecoder.mostColumns else {
      throw Fault(kind: .limit, message: "more than 65536 columns", offset: position)
    }
  }

  private static var mostColumns: Int { 1 << 16 }

  mutating func readRows() throws(Fault) {
    while position < input.count {
      if input[position] == UInt8(ascii: "\n")
        || endsWithCarriageReturns && input[position...].starts(with: [0x0D, 0x0A])
      {
        // An empty line is an empty cell of the only column. After a count the server prints one
        // more line break, and where there are several columns it is no row at all.
        if columns.count != 1 || columns[0].isField {
          position += input[position] == UInt8(ascii: "\n") ? 1 : 2
          continue
        }
      }
      try readRow()
    }
  }

  private mutating func readRow() throws(Fault) {
    var column = 0
    var isLast = false
    while !isLast {
      let start = position
      let cell = nextCell(column < columns.count ? columns[column] : nil)
      isLast = cell.isLast
      try append(cell.bytes, column, at: start)
      column += 1
    }
    if column != columns.count { note(.cellCount, column) }
    rowEnds.append(cells.count)
    if strings.isFull || rowEnds.count == .max {
      throw Fault(kind: .limit, message: "more than 2^32 bytes of text", offset: position)
    }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ column: Int, at start: Int)
    throws(Fault)
  {
    let kind = column < columns.count ? columns[column].kind : .text
    guard !bytes.isEmpty else { return cells.append(CSVAnswer.absent) }
    guard kind != .text else {
      if let known = strings.intern(bytes, accept: { UTF8Check.isValid($0) }) {
        return cells.append(Int64(known.rawValue))
      }
      if strictText {
        throw Fault(kind: .text, message: "text that is not UTF-8", offset: start)
      }
      note(.text, column)
      let mended = UTF8Check.repaired(bytes)
      let id = mended.withUnsafeBufferPointer { strings.intern($0) }
      return cells.append(Int64(id.rawValue))
    }
    let value = CSVDecoder.number(bytes, kind)
    if value == nil { note(.value, column) }
    cells.append(value ?? CSVAnswer.absent)
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ kind: CSVAnswer.Column.Kind)
    -> Int64?
  {
    guard let start = bytes.baseAddress else { return nil }
    if kind == .timestamp { return parseTimestamp(bytes) }
    var scanner = JSONScanner(bytes, at: start, offset: 0)
    do throws(Fault) {
      if kind == .degrees {
        let value = try scanner.coordinate()
        return scanner.position == scanner.end ? value.map { Int64($0) } : nil
      }
      let value = try scanner.integer("")
      return scanner.position == scanner.end && value != CSVAnswer.absent ? value : nil
    } catch {
      return nil
    }
  }

  private mutating func note(_ kind: CSVAnswer.Problem.Kind, _ number: Int) {
    guard problems.count < 1000 else { return }
    problems.append(CSVAnswer.Problem(kind: kind, row: rowEnds.count, number: number))
  }

  // MARK: Cells

  private struct Cell {
    /// Valid until the next cell is read.
    var bytes: UnsafeBufferPointer<UInt8>
    var isLast: Bool
  }

  /// Reads a cell and moves behind it and what ends it.
  private mutating func nextCell(_ column: CSVAnswer.Column?) -> Cell {
    if position < input.count, input[position] == UInt8(ascii: "\""),
      let cell = quotedCell(isUserName: column == .field("user"))
    {
      return cell
    }
    let start = position
    while position < input.count {
      if let cell = endOfCell(UnsafeBufferPointer(rebasing: input[start..<position])) {
        return cell
      }
      position += 1
    }
    return Cell(bytes: UnsafeBufferPointer(rebasing: input[start...]), isLast: true)
  }

  /// The cell that ends here, if a separator or the end of the line stands here.
  private mutating func endOfCell(_ bytes: UnsafeBufferPointer<UInt8>) -> Cell? {
    let rest = input[position...]
    if let first = separator.first, rest.first == first, rest.starts(with: separator) {
      position += separator.count
      return Cell(bytes: bytes, isLast: false)
    }
    if rest.first == UInt8(ascii: "\n") {
      position += 1
      return Cell(bytes: bytes, isLast: true)
    }
    if endsWithCarriageReturns, rest.starts(with: [0x0D, 0x0A]) {
      position += 2
      return Cell(bytes: bytes, isLast: true)
    }
    return nil
  }

  /// A cell in quotes. User names are never quoted, so a quote in front may be part of one: what does
  /// not read like a quoted cell to its end is none. Where it is no name, a quote that is never closed
  /// tells that the table is cut.
  private mutating func quotedCell(isUserName: Bool) -> Cell? {
    let start = position
    scratch.truncate(to: 0)
    var index = position + 1
    while index < input.count {
      if input[index] != UInt8(ascii: "\"") {
        scratch.append(input[index])
        index += 1
      } else if index + 1 < input.count, input[index + 1] == UInt8(ascii: "\"") {
        scratch.append(input[index])
        index += 2
      } else {
        break
      }
    }
    guard index < input.count else {
      stopsInQuotes = stopsInQuotes || !isUserName
      return nil
    }
    position = index + 1
    let bytes = scratch.buffer
    if let cell = endOfCell(bytes) { return cell }
    if position == input.count { return Cell(bytes: bytes, isLast: true) }
    position = start
    return nil
  }

  consuming func finish(isCut: Bool) -> CSVAnswer {
    let isCut = isCut || stopsInQuotes || input.last.map { $0 != UInt8(ascii: "\n") } ?? false
    let (columns, problems) = (self.columns, self.problems)
    return CSVAnswer(
      columns: columns, strings: strings, cells: cells, rowEnds: rowEnds, problems: problems,
      isCut: isCut)
  }
}
