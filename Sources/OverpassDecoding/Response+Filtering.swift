// A part of a response.

import OSMModel

extension Response {
  /// The elements that a filter takes, in their order, with the same head and remarks.
  ///
  /// ```swift
  /// let cafes = try response.filtered(
  ///   by: ElementFilter(types: [.node], tags: [.equals(key: "amenity", value: "cafe")]))
  /// ```
  ///
  /// - Throws: ``ResponseError/hasChanges(_:)`` for augmented diffs and change files.
  /// - Complexity: O(n log n) for the size n of the response.
  public func filtered(by filter: ElementFilter) throws(ResponseError) -> Response {
    guard actions.isEmpty else { throw .hasChanges(0) }
    return Response(
      header: header, remarks: remarks, dataset: dataset.filtered(by: filter),
      diagnostics: diagnostics, truncatedAt: truncatedAt)
  }
}
