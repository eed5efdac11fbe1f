// One feature as a view: identity, tags, metadata, memberships. Its geometry is built separately.

import OSMModel

/// A feature of a ``FeatureSet``.
public struct Feature: Sendable {
  public let features: FeatureSet
  public let index: Int

  private var entry: FeatureEntry { features.entries[index] }

  /// The element that gives identity, tags and metadata; `nil` when the answer prints it only as a
  /// member of a relation.
  public var element: ElementIndex? {
    let row = Int(entry.row)
    switch entry.source {
    case .node: return ElementIndex(.node, row)
    case .way, .coveredWay: return ElementIndex(.way, row)
    case .relation: return ElementIndex(.relation, row)
    case .derived: return ElementIndex(.derived, row)
    case .outerWay:
      let way = features.index.memberRows[Int(features.plan.outerMember[row])]
      return way == DatasetIndex.missing ? nil : ElementIndex(.way, Int(way))
    case .memberStub: return nil
    }
  }

  /// The relation whose members make the geometry, for features of relations.
  public var relation: Int? {
    entry.source == .relation || entry.source == .outerWay ? Int(entry.row) : nil
  }

  /// The kind and number of the element. Derived elements may have no number
  /// (``ElementID/unknownNumber``).
  public var id: ElementID {
    if let element {
      return ElementID(element.type, features.dataset.number(element) ?? ElementID.unknownNumber)
    }
    let place =
      entry.source == .outerWay
      ? Int(features.plan.outerMember[Int(entry.row)]) : Int(entry.row)
    let member = features.dataset.relations.members[place]
    return ElementID(member.type, member.ref)
  }

  /// `node`, `way`, `relation`, or the name of a derived element's type.
  public var typeName: String {
    if let element { return features.dataset.typeName(element) }
    return id.type == .node ? "node" : "way"
  }

  /// The tags. Multipolygons of the old style have those of their outer ways too.
  public var tags: FeatureTags {
    guard let element else { return FeatureTags() }
    var tags = FeatureTags(own: features.dataset.tags(element))
    if element.type == .relation,
      let range = features.plan.inherited[UInt32(truncatingIfNeeded: element.row)]
    {
      tags.inherited = features.plan.inheritedTags[range]
    }
    return tags
  }

  public var metadata: Metadata {
    element.map { features.dataset.metadata($0) } ?? Metadata()
  }

  /// The places in member lists that name this feature's element.
  public var memberships: FeatureMemberships {
    if let element { return FeatureMemberships(known: features.index.memberships(element)) }
    guard entry.source == .memberStub else { return FeatureMemberships() }
    let id = id
    return FeatureMemberships(
      stubs: features.index.stubs(id.type, id.number, features.dataset.relations),
      relations: features.index)
  }

  /// Where the relation's name is to be written: its member with role `label`.
  /// Source: https://wiki.openstreetmap.org/wiki/Relation:boundary#Relation_members
  public var label: Coordinate? { memberPosition(role: "label") }

  /// The capital or seat of the relation's area: its member with role `admin_centre`.
  public var adminCentre: Coordinate? { memberPosition(role: "admin_centre") }

  /// The position of the first node with a role among the members of the relation.
  public func memberPosition(role: String) -> Coordinate? {
    guard let relation, let role = features.dataset.strings.find(role) else { return nil }
    for place in features.dataset.relations.memberRange(relation) {
      let member = features.dataset.relations.members[place]
      guard member.role == role, member.type == .node else { continue }
      let row = features.index.memberRows[place]
      var position = features.dataset.relations.inlineGeometry(member: place)?.first ?? .undefined
      if row != DatasetIndex.missing, features.dataset.nodes.positions[Int(row)].isValid {
        position = features.dataset.nodes.positions[Int(row)]
      }
      if position.isValid { return position }
    }
    return nil
  }

  /// The ids of nodes and members that the answer lacks for this feature.
  public var missing: [ElementID] {
    var found: [ElementID] = []
    switch entry.source {
    case .way, .coveredWay: appendMissingNodes(ofWay: Int(entry.row), to: &found)
    case .relation, .outerWay:
      for place in features.dataset.relations.memberRange(Int(entry.row)) {
        let member = features.dataset.relations.members[place]
        let row = features.index.memberRows[place]
        if row == DatasetIndex.missing {
          if features.dataset.relations.inlineGeometry(member: place) == nil {
            found.append(ElementID(member.type, member.ref))
          }
        } else if member.type == .way {
          appendMissingNodes(ofWay: Int(row), to: &found)
        }
      }
    case .node, .derived, .memberStub: break
    }
    return found
  }

  private func appendMissingNodes(ofWay row: Int, to found: inout [ElementID]) {
    let inline = features.dataset.ways.inlineGeometry(row)
    let range = features.dataset.ways.refRange(row)
    for place in range where features.index.nodeRows[place] == DatasetIndex.missing {
      let offset = place - range.lowerBound
      if let inline, inline.count == range.count, inline[offset].isValid { continue }
      found.append(ElementID(.node, features.dataset.ways.refs[place]))
    }
  }
}

/// The tags of a feature: its element's, then inherited ones.
public struct FeatureTags: RandomAccessCollection {
  /// Borrowed from the dataset.
  public var own = UnsafeBufferPointer<Tag>(start: nil, count: 0)
  public var inherited: ArraySlice<Tag> = []

  public var startIndex: Int { 0 }
  public var endIndex: Int { own.count + inherited.count }

  public subscript(position: Int) -> Tag {
    position < own.count
      ? own[position] : inherited[inherited.startIndex + position - own.count]
  }

  /// The value of a key, if there is one.
  public func value(ofKey key: StringID) -> StringID? { first { $0.key == key }?.value }
}

/// The relations that a feature belongs to: rows of the relation table with the place of the
/// member. A relation that lists the element twice occurs twice.
public struct FeatureMemberships: RandomAccessCollection {
  var known: ArraySlice<Membership> = []
  var stubs: ArraySlice<UInt32> = []
  var relations: DatasetIndex?

  public var startIndex: Int { 0 }
  public var endIndex: Int { known.count + stubs.count }

  public subscript(position: Int) -> Membership {
    if position < known.count { return known[known.startIndex + position] }
    let member = stubs[stubs.startIndex + position - known.count]
    return Membership(
      memberRow: DatasetIndex.missing, relation: relations?.relationOfMember[Int(member)] ?? 0,
      member: member)
  }
}
