import OSMModel
import OverpassTestSupport

/// Documents with everything that answers can hold, in any combination.
struct RandomDocument: ~Copyable {
  var random: SeededGenerator
  /// Whether only such things may come that XML can say.
  var fitsXML: Bool
  private var builder = DatasetBuilder()
  private var nextID: Int64 = 1

  static func make(seed: UInt64, fitsXML: Bool = false) -> OSMDocument {
    var maker = RandomDocument(random: SeededGenerator(seed: seed), fitsXML: fitsXML)
    return maker.document()
  }

  private init(random: SeededGenerator, fitsXML: Bool) {
    self.random = random
    self.fitsXML = fitsXML
  }

  private mutating func document() -> OSMDocument {
    for _ in 0..<number(0...40) {
      switch number(0...6) {
      case 0...2: appendNode()
      case 3, 4: appendWay()
      case 5: appendRelation()
      default: appendDerived()
      }
    }
    var header = DocumentHeader()
    header.version = "0.6"
    if flip() { header.generator = text() }
    if flip() { header.timestamp = "2024-03-31T02:30:00Z" }
    if flip() { header.areasTimestamp = text() }
    if flip() { header.copyright = text() }
    if flip() { header.bounds = box() }
    let remarks = flip() ? ["runtime error: \(number(1...9)) & <b>\""] : []
    var built = DatasetBuilder()
    swap(&built, &builder)
    return OSMDocument(built.finish().dataset, header: header, remarks: remarks)
  }

  // MARK: Values

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func flip() -> Bool { Bool.random(using: &random) }

  mutating func text() -> String {
    let parts = [
      "a", "name", " ", "\"", "\\", "&", "<", ">", "'", "\n", "\t", "\r", "é", "\u{1F355}", "]]>",
      "&amp;", "\u{FFFD}", "\u{EF00}", "/", "null", "\u{7F}", "\u{85}", "\u{1}", "\u{0}",
      "\u{FFFE}",
    ]
    let count = fitsXML ? parts.count - 3 : parts.count
    return (0..<number(0...5)).map { _ in parts[number(0...count - 1)] }.joined()
  }

  private mutating func string() -> StringID { builder.strings.intern(text()) }

  private mutating func id() -> Int64 {
    nextID += Int64(number(1...3))
    return switch number(0...9) {
    case 0: ElementID.unknownNumber
    case 1: -nextID
    case 2: .max - nextID
    default: nextID
    }
  }

  private mutating func position() -> Coordinate {
    Coordinate(
      longitudeE7: Int32(number(-1_800_000_000...1_800_000_000)),
      latitudeE7: flip()
        ? Int32(number(-9...9)) * 10_000_000 : Int32(number(-900_000_000...900_000_000)))
  }

  private mutating func box() -> BoundingBox {
    let (one, other) = (position(), position())
    return BoundingBox(
      southE7: one.latitudeE7, westE7: one.longitudeE7, northE7: other.latitudeE7,
      eastE7: other.longitudeE7)
  }

  private mutating func metadata() -> Metadata {
    var result = Metadata()
    guard flip() else { return result }
    if flip() { result.version = Int32(number(-1...1000)) }
    if flip() { result.timestamp = Int64(number(-1_000_000_000...4_000_000_000)) }
    if flip() { result.changeset = Int64(number(-5...1 << 40)) }
    if flip() { result.userID = Int64(number(-5...1 << 40)) }
    if flip() { result.user = string() }
    if flip() { result.isVisible = flip() }
    result.isModified = flip()
    return result
  }

  // MARK: Elements

  private mutating func fill(_ type: ElementType, _ row: Int, withMetadata: Bool = true) {
    let (id, metadata) = (id(), withMetadata ? metadata() : Metadata())
    let center = flip() ? position() : nil
    let box = flip() ? box() : nil
    var tags: [Tag] = []
    for _ in 0..<number(0...4) {
      let key = string()
      if !tags.contains(where: { $0.key == key }) { tags.append(Tag(key: key, value: string())) }
    }
    func apply(_ elements: inout ElementTable) {
      elements.ids.append(id)
      for tag in tags { elements.tags.append(tag) }
      elements.tagEnds.append(UInt32(elements.tags.count))
      elements.metadata[row] = metadata
      if let center { elements.centers.set(center, at: row) }
      if let box { elements.bounds.set(box, at: row) }
    }
    switch type {
    case .node: apply(&builder.nodes.elements)
    case .way: apply(&builder.ways.elements)
    case .relation: apply(&builder.relations.elements)
    case .area, .derived: apply(&builder.derived.elements)
    }
  }

  private mutating func appendNode() {
    fill(.node, builder.nodes.count)
    builder.nodes.positions.append(number(0...5) == 0 ? .undefined : position())
    builder.endElement(.node)
  }

  /// Positions, some of them clipped away; the first one known where it must be.
  private mutating func positions(_ count: Int, firstIsKnown: Bool) -> [Coordinate] {
    (0..<count).map { index in
      index == 0 && firstIsKnown || number(0...3) > 0 ? position() : .undefined
    }
  }

  private mutating func appendWay() {
    let row = builder.ways.count
    fill(.way, row)
    let refs = number(0...5)
    for _ in 0..<refs { builder.ways.refs.append(Int64(number(-5...1 << 40))) }
    builder.ways.refEnds.append(UInt32(builder.ways.refs.count))
    let count = fitsXML && refs > 0 ? refs : number(1...5)
    if flip() {
      let start = UInt32(builder.ways.inlinePositions.count)
      for each in positions(count, firstIsKnown: true) { builder.ways.inlinePositions.append(each) }
      builder.ways.geometries.set(PositionRange(start: start, count: UInt32(count)), at: row)
    }
    builder.endElement(.way)
  }

  private mutating func appendRelation() {
    fill(.relation, builder.relations.count)
    for _ in 0..<number(0...4) {
      let type = [ElementType.node, .way, .relation][number(0...2)]
      let index = builder.relations.members.count
      builder.relations.members.append(
        Member(type: type, ref: Int64(number(-5...1 << 40)), role: string()))
      guard flip() else { continue }
      let start = UInt32(builder.relations.inlinePositions.count)
      let list = positions(number(1...4), firstIsKnown: false)
      for each in list { builder.relations.inlinePositions.append(each) }
      builder.relations.memberGeometries.set(
        PositionRange(start: start, count: UInt32(list.count)), at: index)
    }
    builder.relations.memberEnds.append(UInt32(builder.relations.members.count))
    builder.endElement(.relation)
  }

  private mutating func appendDerived() {
    let type = flip() ? ElementType.area : .derived
    fill(type, builder.derived.count, withMetadata: !fitsXML)
    let names = fitsXML ? ["count", "item_1", "x-y.z"] : ["count", "", "a \"b\"", "note", "é"]
    let name = type == .area ? "area" : names[number(0...names.count - 1)]
    builder.derived.typeNames.append(builder.strings.intern(name))
    builder.derived.geometries.append(geometry(depth: 0))
    if fitsXML, type == .derived {
      // Without any content it would be taken for a tag that means nothing.
      builder.derived.elements.bounds.set(box(), at: builder.derived.count - 1)
    }
    builder.endElement(type)
  }

  private mutating func geometry(depth: Int) -> Geometry {
    var result = Geometry()
    let xml: [GeometryKind] = [.point, .lineString, .polygon, .geometryCollection]
    let kinds = fitsXML ? xml : GeometryKind.allCases.filter { $0 != .none }
    if depth == 0, flip() { return result }
    result.kind = kinds[number(0...kinds.count - 1)]
    if depth > 2, result.kind == .geometryCollection { result.kind = .point }
    switch result.kind {
    case .none: break
    case .point: result.coordinates = [position()]
    case .multiPoint: result.coordinates = line()
    case .lineString:
      result.coordinates = line()
      result.partEnds = [result.coordinates.count]
    case .multiLineString, .polygon, .multiPolygon:
      for _ in 0..<(result.kind == .multiPolygon ? number(1...3) : 1) {
        for _ in 0..<number(1...3) {
          result.coordinates += line()
          result.partEnds.append(result.coordinates.count)
        }
        if result.kind != .multiLineString { result.polygonEnds.append(result.partEnds.count) }
      }
    case .geometryCollection:
      for _ in 0..<number(fitsXML ? 1...3 : 0...3) {
        result.members.append(geometry(depth: depth + 1))
      }
    }
    return result
  }

  private mutating func line() -> [Coordinate] { (0..<number(1...5)).map { _ in position() } }
}
