// The columns of a table of features.

import OSMGeometry
import OSMModel

/// What a column can hold besides the values of a key.
@frozen public enum TableField: UInt8, Sendable, CaseIterable {
  case type = 0
  case id = 1
  case version = 2
  case timestamp = 3
  case changeset = 4
  case userID = 5
  case user = 6
  /// Of a position on the geometry (``OSMGeometry/Geometry/pointOnSurface``).
  case longitude = 7
  case latitude = 8
  /// The geometry as well-known text.
  case geometry = 9
  /// All tags as a JSON object.
  case tags = 10
  /// Whose data it is: the answer's notice, or OpenStreetMap's.
  case attribution = 11

  /// The heading. Names such as `@id` would not do: spreadsheets take them for formulas.
  public var name: String {
    switch self {
    case .type: "osm_type"
    case .id: "osm_id"
    case .version: "osm_version"
    case .timestamp: "osm_timestamp"
    case .changeset: "osm_changeset"
    case .userID: "osm_uid"
    case .user: "osm_user"
    case .longitude: "lon"
    case .latitude: "lat"
    case .geometry: "wkt"
    case .tags: "osm_tags"
    case .attribution: "osm_attribution"
    }
  }
}

/// A column of a table of features.
public struct TableColumn: Sendable, Equatable {
  public enum Source: Sendable, Hashable {
    case field(TableField)
    /// The values of a key.
    case tag(String)
  }

  public let heading: String
  public let source: Source

  /// A column by its heading: the name of a field, else a key. `tag:` in front of a key, which stays
  /// in the heading, tells it from a field of that name.
  public init(heading: String) {
    self.heading = heading
    if let field = TableField.allCases.first(where: { $0.name == heading }) {
      source = .field(field)
    } else if TableColumn.hasPrefix(heading) {
      source = .tag(String(Substring(heading.utf8.dropFirst(TableColumn.tagPrefix.utf8.count))))
    } else {
      source = .tag(heading)
    }
  }

  /// The column of a key, whatever it is.
  public init(key: String) {
    let isAmbiguous =
      TableColumn.hasPrefix(key) || TableField.allCases.contains { $0.name == key }
    self.init(heading: isAmbiguous ? TableColumn.tagPrefix + key : key)
  }

  private static let tagPrefix = "tag:"

  private static func hasPrefix(_ text: String) -> Bool { text.utf8.starts(with: tagPrefix.utf8) }
}

/// Why columns make no table.
public struct TableLayoutError: Error, Sendable, Equatable {
  public let message: String
}

/// The columns of a table of features, in their order.
public struct TableLayout: Sendable, Equatable {
  public let columns: [TableColumn]

  /// - Parameter headings: as for ``TableColumn/init(heading:)``.
  /// - Throws: ``TableLayoutError`` where there is none, one without a name, or the same twice.
  public init(_ headings: [String]) throws(TableLayoutError) {
    let columns = headings.map { TableColumn(heading: $0) }
    if columns.isEmpty { throw TableLayoutError(message: "a table without columns") }
    // Keys are the same when their bytes are; Swift takes other spellings of accents for the same, too.
    var keys: Set<[UInt8]> = []
    var fields: Set<TableField> = []
    for column in columns {
      let isNew =
        switch column.source {
        case .field(let field): fields.insert(field).inserted
        case .tag(let key): keys.insert(Array(key.utf8)).inserted
        }
      if column.source == .tag("") { throw TableLayoutError(message: "a column without a name") }
      guard isNew else { throw TableLayoutError(message: "the column \(column.heading) twice") }
    }
    self.columns = columns
  }

  /// Type, number, position, and a column for each key that occurs, the most frequent first. Where
  /// there are more than ``mostKeys``, all tags stand in the field ``TableField/tags`` as well.
  /// - Complexity: O(n).
  public init(allTagsOf features: FeatureSet) {
    var counts: [StringID: Int] = [:]
    for index in 0..<features.count {
      for tag in features.feature(index).tags { counts[tag.key, default: 0] += 1 }
    }
    // A column needs a name.
    let hasNameless = counts.removeValue(forKey: .empty) != nil
    let keys = counts.map { (key: features.dataset.strings.string($0.key), count: $0.value) }
      .sorted {
        $0.count == $1.count
          ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : $0.count > $1.count
      }
    var columns = [.type, .id, .longitude, .latitude].map { (field: TableField) in
      TableColumn(heading: field.name)
    }
    columns += keys.prefix(TableLayout.mostKeys).map { TableColumn(key: $0.key) }
    if keys.count > TableLayout.mostKeys || hasNameless {
      columns.append(TableColumn(heading: TableField.tags.name))
    }
    self.columns = columns
  }

  /// How many keys get columns of their own unless columns are chosen: beyond that, a table is mostly
  /// empty.
  public static let mostKeys = 200
}
