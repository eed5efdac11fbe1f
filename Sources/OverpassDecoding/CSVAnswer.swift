// A CSV answer as a table with typed columns.

import OSMModel

/// The rows of an answer to `[out:csv(…)]`.
///
/// CSV carries no remarks: when a query ran out of time or memory, the table just ends early.
/// Where that matters, ask for JSON. Source: Overpass API, output_csv.cc.
public final class CSVAnswer: Sendable {
  /// One column, named by the head line or by the caller.
  public struct Column: Sendable, Equatable {
    /// The key of a tag, or the name of a field without its mark `::` or `@`.
    public var name: String
    /// Whether the column is a field of the element (`::id`) and not a tag.
    public var isField: Bool
    public var kind: Kind

    public enum Kind: UInt8, Sendable {
      case text
      /// Ids, versions, changesets, user ids and counts.
      case integer
      /// `::lat` and `::lon`, in units of 1e-7 degrees.
      case degrees
      /// `::timestamp`, in seconds since 1970-01-01T00:00:00Z.
      case timestamp
    }

    /// A column of a tag.
    public static func tag(_ key: String) -> Column {
      Column(name: key, isField: false, kind: .text)
    }

    /// A column of a field, such as `id` for `::id`.
    public static func field(_ name: String) -> Column {
      let kind: Kind =
        switch name {
        case "id", "otype", "version", "changeset", "uid", "count": .integer
        case "lat", "lon": .degrees
        case "timestamp": .timestamp
        default: name.hasPrefix("count:") ? .integer : .text
        }
      return Column(name: name, isField: true, kind: kind)
    }

    /// The column that a head line names. A tag whose key begins with `@` and the name of a field
    /// cannot be told from the field.
    static func named(_ heading: String) -> Column {
      guard heading.hasPrefix("@") else { return .tag(heading) }
      let name = String(heading.dropFirst())
      let isKnown =
        switch name {
        case "id", "type", "otype", "lat", "lon", "version", "timestamp", "changeset", "uid",
          "user", "count", "count:nodes", "count:ways", "count:relations", "count:areas":
          true
        default: false
        }
      return isKnown ? .field(name) : .tag(heading)
    }
  }

  /// Something in the text that has no certain meaning.
  public struct Problem: Sendable, Equatable {
    public enum Kind: UInt8, Sendable {
      /// A row has more or fewer cells than there are columns. The server does not quote for every
      /// separator, so a value may have become two cells; which one cannot be known.
      case cellCount
      /// A cell of a typed column is not of its kind; it counts as empty.
      case value
      /// Text was not UTF-8; U+FFFD stands in its place.
      case text
    }
    public var kind: Kind
    /// From 0, without the head line.
    public var row: Int
    /// The column concerned; for ``Kind/cellCount`` the number of cells.
    public var number: Int

    public init(kind: Kind, row: Int, number: Int) {
      self.kind = kind
      self.row = row
      self.number = number
    }
  }

  public let columns: [Column]
  public let rowCount: Int
  public let strings: StringTable
  /// At most a thousand.
  public let problems: [Problem]
  /// Never `complete`: CSV has no end mark. `partial` when the last line or a cell in quotes is cut.
  public let completeness: Response.Completeness
  /// The cells, row by row. Numbers as they are, texts as string numbers.
  private let cells: OSMModel.Column<Int64>
  private let rowEnds: OSMModel.Column<Int>

  init(
    columns: [Column], strings: consuming StringTable, cells: consuming OSMModel.Column<Int64>,
    rowEnds: consuming OSMModel.Column<Int>, problems: [Problem], isCut: Bool
  ) {
    self.columns = columns
    rowCount = rowEnds.count
    self.strings = strings
    self.cells = cells
    self.rowEnds = rowEnds
    self.problems = problems
    completeness = isCut ? .partial : .unknown
  }

  /// What an empty cell holds.
  static let absent = Int64.min

  /// The number of cells a row has in the text.
  public func cellCount(row: Int) -> Int {
    guard row >= 0, row < rowCount else { return 0 }
    return rowEnds[row] - (row == 0 ? 0 : rowEnds[row - 1])
  }

  /// A number: an integer, degrees in units of 1e-7, or seconds, by the column's kind. `nil` for an
  /// empty cell and for columns of texts.
  public func number(row: Int, column: Int) -> Int64? {
    guard column >= 0, column < columns.count, columns[column].kind != .text else { return nil }
    return value(row, column)
  }

  /// A text. An absent key and an empty value are the same in CSV: `nil`.
  public func text(row: Int, column: Int) -> StringID? {
    guard column >= 0, column < columns.count, columns[column].kind == .text else { return nil }
    return value(row, column).map { StringID(UInt32(truncatingIfNeeded: $0)) }
  }

  /// The text as a Swift value.
  public func string(row: Int, column: Int) -> String? {
    text(row: row, column: column).map { strings.string($0) }
  }

  /// The column of a tag or field.
  public func column(_ wanted: Column) -> Int? { columns.firstIndex(of: wanted) }

  private func value(_ row: Int, _ column: Int) -> Int64? {
    guard column < cellCount(row: row) else { return nil }
    let value = cells[(row == 0 ? 0 : rowEnds[row - 1]) + column]
    return value == CSVAnswer.absent ? nil : value
  }
}
