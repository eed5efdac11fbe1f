// Features as a map shows them, all or one by one.

import OSMModel

extension FeatureSet {
  /// What a map shows: every element that is drawn, in the order of the answer.
  ///
  /// Left out is what the set leaves out: elements that say nothing, parts that another element is
  /// drawn of, and elements of which nothing can be drawn. ``FeatureOptions`` decides;
  /// ``FeatureOptions/omitsParts`` also leaves out parts that have tags of their own.
  ///
  /// ```swift
  /// for seen in FeatureSet(dataset).visualizations(languages: ["fi", "en"]) {
  ///   switch seen.shape {
  ///   case .annotation(let coordinate): pin(coordinate, seen.title)
  ///   case .polygon(let polygon): fill(polygon.exterior, polygon.holes)
  ///   default: break
  ///   }
  /// }
  /// ```
  public func visualizations(languages: LanguagePreference = []) -> [Visualization] {
    var found: [Visualization] = []
    forEachVisualization(languages: languages) { found.append($0) }
    return found
  }

  /// The same by element. What has no identity is not in it: what a query made, and elements without
  /// numbers (`out noids`).
  public func visualizationsByElement(
    languages: LanguagePreference = []
  ) -> [ElementID: Visualization] {
    var found: [ElementID: Visualization] = [:]
    forEachVisualization(languages: languages) {
      let hasIdentity =
        $0.element.type != .derived && $0.element.number != ElementID.unknownNumber
      if hasIdentity { found[$0.element] = $0 }
    }
    return found
  }

  /// What a map shows of one element, or `nil` when nothing is drawn for it.
  ///
  /// - Complexity: that of ``index(of:)``, and of the element's geometry.
  public func visualization(
    of id: ElementID, languages: LanguagePreference = []
  ) -> Visualization? {
    guard let index = index(of: id) else { return nil }
    var assembler = makeAssembler()
    return visualization(
      at: index, LocalizedKey("name", languages, in: dataset.strings), &assembler)
  }

  /// Calls `body` for one visualization after the other, so that not all need to be held at once.
  public func forEachVisualization(
    languages: LanguagePreference = [], _ body: (Visualization) -> Void
  ) {
    let names = LocalizedKey("name", languages, in: dataset.strings)
    var assembler = makeAssembler()
    for index in 0..<count {
      if let found = visualization(at: index, names, &assembler) { body(found) }
    }
  }

  private func visualization(
    at index: Int, _ names: LocalizedKey, _ assembler: inout FeatureAssembler
  ) -> Visualization? {
    var geometry = Geometry()
    let info = assembler.geometry(of: index, into: &geometry)
    guard info.kind != .none else { return nil }
    let feature = feature(index)
    return Visualization(
      element: feature.id, typeName: feature.typeName,
      title: names.value(in: feature.tags, dataset.strings).map { dataset.strings.string($0) },
      geometry: geometry, isTainted: info.isTainted, placeholder: info.placeholder)
  }
}
