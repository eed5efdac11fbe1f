// A response brought up to date by change files.

import OSMModel

extension Response {
  /// The response after changes: those of change files (.osc) or augmented diffs, in their order.
  ///
  /// ```swift
  /// let today = try yesterday.applying([hour1, hour2])
  /// ```
  ///
  /// - `create` and `modify` put the state they tell in the place of the present one, which may be
  ///   missing; `delete`, and a state that is not visible, take the element away. In diffs of a
  ///   query's result, `show_final` and `show_initial` do the same.
  /// - A change of an older version than the present one is left out, with a diagnostic. One of the
  ///   same version is made: editors write changes without raising it.
  /// - Elements keep their places, new ones follow; all are sorted as servers print them where they
  ///   were before.
  /// - Positions printed with ways and relations (`out geom`) follow their nodes as far as these are
  ///   known. Boxes and centres of what a change touches are dropped: they tell of the state before.
  ///   Areas and other derived elements stay as they are.
  /// - The head tells the newest state of the data that any of the documents names.
  ///
  /// - Throws: ``ResponseError/hasChanges(_:)`` where this response lists changes itself,
  ///   ``ResponseError/hasNoChanges(_:)`` where one of `changes` lists elements instead;
  ///   ``ResponseError/limit``.
  /// - Complexity: O(n log n) for the sum n of all sizes.
  public func applying(_ changes: [Response]) throws(ResponseError) -> Response {
    guard actions.isEmpty else { throw .hasChanges(0) }
    if let number = changes.firstIndex(where: { $0.actions.isEmpty && $0.dataset.count > 0 }) {
      throw .hasNoChanges(number)
    }
    let lists = changes.map { ChangeList($0.dataset, $0.actions) }
    guard let changed = dataset.applying(lists) else { throw .limit }
    var header = header
    let times = ([self] + changes).compactMap(\.header.timestamp)
    header.timestamp = times.newestTime
    var diagnostics = ([self] + changes).map(\.diagnostics)
    diagnostics.append(changed.skipped.prefix(1000).map { DecodeDiagnostic($0) })
    return Response(
      header: header, remarks: Response.united(([self] + changes).map(\.remarks)),
      dataset: changed.dataset, diagnostics: Response.united(diagnostics),
      truncatedAt: ([self] + changes).lazy.compactMap(\.truncatedAt).first)
  }
}

extension DecodeDiagnostic {
  fileprivate init(_ skipped: SkippedChange) {
    self.init(kind: .skippedChange, element: skipped.element)
    detail =
      skipped.versions.map { "version \($0.change), while \($0.present) is there" }
      ?? "it names no element"
  }
}
