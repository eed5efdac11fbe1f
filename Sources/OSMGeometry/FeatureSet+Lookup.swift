// Which feature stands for an element.

import OSMModel

extension FeatureSet {
  /// The feature of an element, or `nil` when the element is none: it has nothing to say, or another
  /// one is drawn in its place. A feature without a geometry is found, too.
  ///
  /// - Complexity: O(log n); O(n) for ways that the answer prints only within relations or that stand
  ///   for one (profile osmtogeojson). Elements that a query made have no identity and are not found.
  public func index(of id: ElementID) -> Int? {
    if let element = dataset.find(id), let place = place(of: element) { return place }
    guard options.profile == .osmtogeojson, id.type == .way || id.type == .node else { return nil }
    return entries.indices.first {
      let source = entries[$0].source
      return (source == .outerWay || source == .memberStub) && feature($0).id == id
    }
  }

  /// Entries stand in the order of the answer, each at the place of its row's element; members that
  /// are no elements come last.
  private func place(of element: ElementIndex) -> Int? {
    guard let position = dataset.position(of: element) else { return nil }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if self.position(ofEntry: middle) < position { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, self.position(ofEntry: low) == position,
      entries[low].source != .outerWay
    else { return nil }
    return low
  }

  private func position(ofEntry index: Int) -> Int {
    let row = Int(entries[index].row)
    let element: ElementIndex
    switch entries[index].source {
    case .node: element = ElementIndex(.node, row)
    case .way, .coveredWay: element = ElementIndex(.way, row)
    case .relation, .outerWay: element = ElementIndex(.relation, row)
    case .derived: element = ElementIndex(.derived, row)
    case .memberStub: return .max
    }
    return dataset.position(of: element) ?? .max
  }
}
