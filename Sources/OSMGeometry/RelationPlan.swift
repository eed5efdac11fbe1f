// What each relation stands for, which ways it speaks for, and which tags it inherits.

import OSMModel

/// The shape that a relation stands for.
enum RelationShape: UInt8, Sendable {
  case none = 0
  case area = 1
  case line = 2
  /// All members, each for itself.
  case collection = 3
}

/// Decisions about all relations of a dataset.
struct RelationPlan: Sendable {
  /// For each relation.
  var shapes: [RelationShape]
  /// For each way: whether it only helps to draw a relation and is no feature itself.
  var isRepresented: [Bool]
  /// Tagged ways that say no more than the relations whose rings they form, which stand for them
  /// where their area can be built.
  var coverings: [UInt32: [UInt32]] = [:]
  /// For each relation of profile osmtogeojson that appears as its outer way: that member's place in
  /// `RelationTable.members`.
  var outerMember: [UInt32]
  /// For each old-style relation, its range of `inheritedTags`.
  var inherited: [UInt32: Range<Int>] = [:]
  /// Tags of outer ways that stand for the whole relation.
  var inheritedTags: [Tag] = []
  var roles: Roles
  /// For each relation: whether of its members only those with a role of rings form its area, as
  /// for boundaries.
  var drawsRingsOnly: [Bool]
  /// For each relation: whether it only ties things together (``FeatureProfile/looseRelationTypes``).
  var isLoose: [Bool]
  /// Roles of ways that do not belong to the line of a relation.
  var excludedLineRoles: [StringID] = []

  /// The numbers of the strings that matter in roles.
  struct Roles: Sendable {
    let outer: StringID
    let inner: StringID
    let enclave: StringID
    let exclave: StringID
    let perimeter: StringID
    let forward: StringID
    let backward: StringID
    private let oneWays: [Tag]

    init(_ strings: borrowing StringTable) {
      outer = strings.find("outer") ?? .absent
      inner = strings.find("inner") ?? .absent
      enclave = strings.find("enclave") ?? .absent
      exclave = strings.find("exclave") ?? .absent
      perimeter = strings.find("perimeter") ?? .absent
      forward = strings.find("forward") ?? .absent
      backward = strings.find("backward") ?? .absent
      oneWays = [("junction", "roundabout"), ("junction", "circular"), ("oneway", "yes")]
        .compactMap { key, value in
          guard let key = strings.find(key), let value = strings.find(value) else { return nil }
          return Tag(key: key, value: value)
        }
    }

    /// In which direction a route follows a member.
    func travelDirection(_ role: StringID) -> TravelDirection {
      role == forward ? .along : role == backward ? .against : .both
    }

    /// Whether traffic follows a way in its direction alone.
    func isOneWay(_ tags: UnsafeBufferPointer<Tag>) -> Bool {
      tags.contains(where: oneWays.contains)
    }

    func ringRole(_ role: StringID) -> RingRole {
      if role == outer || role == exclave || role == perimeter { return .outer }
      if role == inner || role == enclave { return .inner }
      return role == .empty ? .empty : .other
    }
  }

  init(_ dataset: Dataset, _ index: DatasetIndex, _ rules: TagRules, _ options: FeatureOptions) {
    let profile = options.profile
    shapes = [RelationShape](repeating: .none, count: dataset.relations.count)
    drawsRingsOnly = [Bool](repeating: false, count: dataset.relations.count)
    isLoose = [Bool](repeating: false, count: dataset.relations.count)
    isRepresented = [Bool](repeating: false, count: dataset.ways.count)
    outerMember = [UInt32](repeating: DatasetIndex.missing, count: dataset.relations.count)
    roles = Roles(dataset.strings)
    excludedLineRoles = profile.excludedLineRoles.compactMap { dataset.strings.find($0) }
    let rest: RelationShape = options.collectsOtherRelations ? .collection : .none
    let types = RelationTypes(profile, dataset.strings)
    for row in 0..<dataset.relations.count {
      let relation = ElementIndex(.relation, row)
      let type = rules.typeKey.flatMap { dataset.value(ofKey: $0, relation) }
      isLoose[row] = type.map(types.loose.contains) == true
      drawsRingsOnly[row] = isLoose[row] || type == types.boundary
      if isLoose[row] {
        let lines: RelationShape = options.collectsOtherRelations ? .collection : .line
        shapes[row] = hasPerimeter(row, dataset) ? .area : lines
      } else {
        shapes[row] = type.flatMap { types.shapes[$0] } ?? rest
      }
      switch (shapes[row], profile) {
      case (.area, .default) where isLoose[row]: break
      case (.area, .default): planArea(row, dataset, index, rules)
      case (.area, .osmtogeojson): planCompatibleArea(row, dataset, index, rules)
      case (.line, _): planLine(row, dataset, index, rules)
      case (.collection, _), (.none, _): break
      }
    }
  }

  /// The numbers of the texts that matter in `type`.
  private struct RelationTypes {
    var shapes: [StringID: RelationShape] = [:]
    var loose: [StringID]
    let boundary: StringID

    init(_ profile: FeatureProfile, _ strings: borrowing StringTable) {
      boundary = strings.find("boundary") ?? .absent
      loose = profile.looseRelationTypes.compactMap { strings.find($0) }
      for name in profile.areaRelationTypes {
        if let id = strings.find(name) { shapes[id] = .area }
      }
      for name in profile.lineRelationTypes {
        if let id = strings.find(name) { shapes[id] = .line }
      }
    }
  }

  /// Whether a way with this role belongs to the line of a relation.
  func isPartOfLine(_ relation: Int, _ role: StringID) -> Bool {
    role == .empty || isLoose[relation] || !excludedLineRoles.contains(role)
  }

  private func hasPerimeter(_ row: Int, _ dataset: Dataset) -> Bool {
    dataset.relations.memberRange(row).contains { place in
      let member = dataset.relations.members[place]
      return member.type == .way && roles.ringRole(member.role) == .outer
    }
  }

  /// Ways without a meaning of their own are part of the line, unless their role says otherwise.
  private mutating func planLine(
    _ row: Int, _ dataset: Dataset, _ index: DatasetIndex, _ rules: TagRules
  ) {
    for place in dataset.relations.memberRange(row) {
      guard let way = wayRow(place, dataset, index),
        isPartOfLine(row, dataset.relations.members[place].role)
      else { continue }
      if !rules.isInteresting(dataset.ways.elements.tags(way)) { isRepresented[way] = true }
    }
  }

  private mutating func planArea(
    _ row: Int, _ dataset: Dataset, _ index: DatasetIndex, _ rules: TagRules
  ) {
    let own = dataset.relations.elements.tags(row)
    if !rules.isInterestingRelation(own) { inherit(row, dataset, index, rules) }
    // `area=yes` is about the way's shape and says nothing about what it is.
    let areaKey = dataset.strings.find("area")
    let extra = inherited[UInt32(truncatingIfNeeded: row)].map { inheritedTags[$0] } ?? []
    for place in dataset.relations.memberRange(row) {
      guard let way = wayRow(place, dataset, index) else { continue }
      let role = roles.ringRole(dataset.relations.members[place].role)
      let tags = dataset.ways.elements.tags(way)
      let adds = tags.contains { tag in
        rules.isInteresting(tag) && tag.key != areaKey
          && (role == .inner || (!own.contains(tag) && !extra.contains(tag)))
      }
      guard role != .other, !adds else { continue }
      if rules.namesKind(tags) {
        coverings[UInt32(truncatingIfNeeded: way), default: []]
          .append(UInt32(truncatingIfNeeded: row))
      } else {
        isRepresented[way] = true
      }
    }
  }

  /// Old-style multipolygons have no tags of their own: what all their outer ways say holds for the
  /// whole.
  private mutating func inherit(
    _ row: Int, _ dataset: Dataset, _ index: DatasetIndex, _ rules: TagRules
  ) {
    var common: [Tag]?
    for place in dataset.relations.memberRange(row) {
      let role = roles.ringRole(dataset.relations.members[place].role)
      guard role == .outer || role == .empty, let way = wayRow(place, dataset, index) else {
        continue
      }
      let tags = dataset.ways.elements.tags(way)
      common = common?.filter(tags.contains) ?? Array(tags)
    }
    let own = dataset.relations.elements.tags(row)
    let tags = common?.filter { tag in !own.contains { $0.key == tag.key } } ?? []
    guard tags.contains(where: rules.isInteresting) else { return }
    let start = inheritedTags.count
    inheritedTags += tags
    inherited[UInt32(truncatingIfNeeded: row)] = start..<inheritedTags.count
  }

  /// The rules of osmtogeojson: ways that say nothing beyond their role are skipped, and a relation
  /// with one outer way and no tags appears as that way.
  private mutating func planCompatibleArea(
    _ row: Int, _ dataset: Dataset, _ index: DatasetIndex, _ rules: TagRules
  ) {
    let own = dataset.relations.elements.tags(row)
    var outers = 0
    var firstOuter = DatasetIndex.missing
    for place in dataset.relations.memberRange(row) {
      let member = dataset.relations.members[place]
      guard member.type == .way else { continue }
      if member.role == roles.outer {
        outers += 1
        if outers == 1 { firstOuter = UInt32(truncatingIfNeeded: place) }
      }
      guard let way = wayRow(place, dataset, index) else { continue }
      let tags = dataset.ways.elements.tags(way)
      if member.role == roles.outer {
        let adds = tags.contains { rules.isInteresting($0) && !own.contains($0) }
        if !adds { isRepresented[way] = true }
      } else if member.role == roles.inner, !rules.isInteresting(tags) {
        isRepresented[way] = true
      }
    }
    guard outers > 0 else {
      shapes[row] = .none
      return
    }
    guard outers == 1, !rules.isInterestingRelation(own) else { return }
    let place = Int(firstOuter)
    if let way = wayRow(place, dataset, index) {
      isRepresented[way] = true
      outerMember[row] = firstOuter
    } else if dataset.relations.inlineGeometry(member: place) != nil {
      outerMember[row] = firstOuter
    }
  }

  private func wayRow(_ place: Int, _ dataset: Dataset, _ index: DatasetIndex) -> Int? {
    guard dataset.relations.members[place].type == .way else { return nil }
    let row = index.memberRows[place]
    return row == DatasetIndex.missing ? nil : Int(row)
  }
}
