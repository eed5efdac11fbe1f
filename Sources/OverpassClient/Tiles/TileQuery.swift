// A query that can be asked for one part of its box after the other.

import OSMModel
import OverpassQuery

/// A query and the box that it may be divided by.
///
/// The answers for the parts of the box, united, have to be the answer for the box. That holds for
/// queries that choose elements by what they are and where; what is counted, limited, compared or
/// made from several elements is refused.
struct TileQuery: Sendable {
  let box: BoundingBox
  private let query: Query

  /// - Parameter box: the box to divide; `nil` for the one that the query names.
  /// - Throws: ``ClientError`` of kind `query` when the query cannot be divided.
  init(_ query: Query, box: BoundingBox?) throws(ClientError) {
    var boxes = BoxFinder()
    boxes.visit(query.statements)
    if let reason = boxes.obstacle {
      throw ClientError(.query, "the query cannot be divided into tiles: \(reason)")
    }
    switch query.settings.time {
    case .diff, .adiff:
      throw ClientError(.query, "differences of two times cannot be divided into tiles")
    case .date, nil: break
    }
    switch query.settings.output {
    case .csv, .custom, .popup:
      throw ClientError(.query, "tables and pages cannot be put together from tiles")
    case .json, .xml, nil: break
    }
    let named = boxes.found.union(query.settings.boundingBox.map { [$0] } ?? [])
    guard let whole = box ?? (named.count == 1 ? named.first : nil) else {
      let found = named.isEmpty ? "no box" : "several boxes"
      throw ClientError(.query, "the query has \(found): say which one is to be divided")
    }
    guard whole.isValid else { throw ClientError(.query, "the box is not on earth") }
    self.box = whole
    self.query = query
    guard named.contains(whole) || named.isEmpty && boxes.hasUnbounded else {
      throw ClientError(.query, "no statement of the query is restricted to the box")
    }
    var dependence = TileDependence(box: whole, isGlobal: !boxes.found.contains(whole) || isGlobal)
    dependence.visit(query.statements)
    if let reason = dependence.obstacle {
      throw ClientError(.query, "the query cannot be divided into tiles: \(reason)")
    }
  }

  /// Whether the settings restrict the statements that name no box.
  private var isGlobal: Bool { query.settings.boundingBox == box }

  /// The query for a part of the box.
  func restricted(to tile: BoundingBox) -> Query {
    var result = query
    var replacing = BoxReplacer(box: box, tile: tile)
    result.statements = replacing.replace(query.statements)
    if isGlobal || !replacing.hasReplaced { result.settings.boundingBox = tile }
    return result
  }
}

/// Looks for the boxes of query statements, and for what cannot be divided.
private struct BoxFinder {
  var found = Set<BoundingBox>()
  /// Whether there is a query statement that a box in the settings restricts.
  var hasUnbounded = false
  var obstacle: String?

  mutating func visit(_ statements: [Query.Statement]) {
    for statement in statements { visit(statement) }
  }

  private mutating func visit(_ statement: Query.Statement) {
    switch statement {
    case .query(let query): visit(query)
    case .union(let members, _): visit(members)
    case .foreach(_, _, let body), .retro(_, let body): visit(body)
    case .item, .recurse, .isIn, .mapToArea: break
    case .out(let out):
      if out.limit != nil { obstacle = "it prints a limited number of elements" }
      if out.verbosity == .count { obstacle = "it counts" }
      if out.omitsIDs { obstacle = "it prints elements without ids" }
    case .difference:
      obstacle = "it has a difference, whose parts may lie in different tiles"
    case .make, .convert: obstacle = "it makes elements of its own"
    case .for, .complete, .if: obstacle = "what it does depends on all elements together"
    case .compare, .timeline: obstacle = "it compares times"
    case .local: obstacle = "it prints the layout of localised files"
    }
  }

  private mutating func visit(_ query: Query.QueryStatement) {
    var isBounded = false
    for filter in query.filters {
      guard case .boundingBox(let box) = filter else { continue }
      isBounded = true
      found.insert(box)
    }
    if !isBounded { hasUnbounded = true }
  }
}

/// Puts a tile in the place of the box.
private struct BoxReplacer {
  let box: BoundingBox
  let tile: BoundingBox
  var hasReplaced = false

  mutating func replace(_ statements: [Query.Statement]) -> [Query.Statement] {
    var result: [Query.Statement] = []
    for statement in statements { result.append(replace(statement)) }
    return result
  }

  private mutating func replace(_ statement: Query.Statement) -> Query.Statement {
    switch statement {
    case .query(var query):
      for (index, filter) in query.filters.enumerated() where filter == .boundingBox(box) {
        query.filters[index] = .boundingBox(tile)
        hasReplaced = true
      }
      return .query(query)
    case .union(let members, let into): return .union(replace(members), into: into)
    case .foreach(let from, let into, let body):
      return .foreach(from: from, into: into, replace(body))
    case .retro(let time, let body): return .retro(time, replace(body))
    default: return statement
    }
  }
}

extension BoundingBox {
  /// The four quarters: south-west, south-east, north-west, north-east. `nil` for a box too small to
  /// be divided.
  var quarters: [BoundingBox]? {
    let turn: Int64 = 3_600_000_000
    let width = Int64(eastE7) - Int64(westE7) + (crossesAntimeridian ? turn : 0)
    let height = Int64(northE7) - Int64(southE7)
    guard width >= 2, height >= 2 else { return nil }
    let middleLatitude = Int32(truncatingIfNeeded: Int64(southE7) + height / 2)
    var middle = Int64(westE7) + width / 2
    if middle > 1_800_000_000 { middle -= turn }
    let middleLongitude = Int32(truncatingIfNeeded: middle)
    return [(southE7, middleLatitude), (middleLatitude, northE7)].flatMap { south, north in
      [(westE7, middleLongitude), (middleLongitude, eastE7)].map { west, east in
        BoundingBox(southE7: south, westE7: west, northE7: north, eastE7: east)
      }
    }
  }
}
