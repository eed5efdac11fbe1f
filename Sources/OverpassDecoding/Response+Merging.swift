// One response made of several, such as those for the tiles of a large box.

import OSMModel

extension Response {
  /// Unites responses by (type, id).
  ///
  /// ```swift
  /// let whole = try Response.merging([west, east])
  /// ```
  ///
  /// - Elements: of copies the highest version wins; among copies of that version, or without one,
  ///   each part (tags, metadata, nodes, members, position, centre) comes from the first copy that
  ///   has it. Boxes are united. Positions of `out geom` are united as well, so that the gaps that a
  ///   clipping box leaves are filled. Areas are united by id; other derived elements, such as
  ///   counts, are all kept.
  /// - Order: that of servers (nodes, ways, relations by ascending ids) where all responses have it;
  ///   otherwise each element stands where it came first.
  /// - Head: the *oldest* state of data and areas, since all responses have at least that; a
  ///   diagnostic tells where they differ. The box around all boxes where each response has one; the
  ///   rest from the first response that tells it.
  /// - Remarks and diagnostics, once each, and the end of the first response that is cut off, so that
  ///   the result is partial if one of them is.
  ///
  /// One response alone is given back as it is, none gives an empty one.
  ///
  /// - Throws: ``ResponseError/hasChanges(_:)`` for augmented diffs and change files, whose states
  ///   are no copies of each other; ``ResponseError/limit``.
  /// - Complexity: O(n log k) for k responses in the servers' order and n elements; otherwise
  ///   O(n log n).
  public static func merging(_ responses: [Response]) throws(ResponseError) -> Response {
    if let number = responses.firstIndex(where: { !$0.actions.isEmpty }) {
      throw .hasChanges(number)
    }
    if let response = responses.first, responses.count == 1 { return response }
    guard let merged = Dataset.merging(responses.map(\.dataset)) else { throw .limit }
    var diagnostics = responses.map(\.diagnostics)
    if let states = differingStates(responses) {
      diagnostics.append([DecodeDiagnostic(kind: .differingStates, detail: states)])
    }
    diagnostics.append(merged.conflicts.prefix(1000).map { DecodeDiagnostic(conflict: $0) })
    return Response(
      header: Header(merging: responses.map(\.header)),
      remarks: united(responses.map(\.remarks)), dataset: merged.dataset,
      diagnostics: united(diagnostics),
      truncatedAt: responses.lazy.compactMap(\.truncatedAt).first)
  }

  /// All remarks or diagnostics in their order, each once.
  static func united<Note: Hashable>(_ notes: [[Note]]) -> [Note] {
    var seen = Set<Note>()
    return notes.joined().filter { seen.insert($0).inserted }
  }

  /// The oldest and the newest state, where there is more than one.
  private static func differingStates(_ responses: [Response]) -> String? {
    let states = responses.compactMap(\.header.timestamp)
    guard let oldest = states.oldestTime, let newest = states.newestTime, oldest != newest else {
      return nil
    }
    return "\(oldest) to \(newest)"
  }
}

extension DocumentHeader {
  fileprivate init(merging heads: [DocumentHeader]) {
    self.init()
    version = heads.lazy.compactMap(\.version).first
    generator = heads.lazy.compactMap(\.generator).first
    copyright = heads.lazy.compactMap(\.copyright).first
    timestamp = heads.compactMap(\.timestamp).oldestTime
    areasTimestamp = heads.compactMap(\.areasTimestamp).oldestTime
    let boxes = heads.compactMap(\.bounds)
    if let first = boxes.first, boxes.count == heads.count {
      bounds = boxes.dropFirst().reduce(first) { $0.union($1) }
    }
  }
}

extension [String] {
  /// The earliest of these times; texts that are no times count only where all are none.
  fileprivate var oldestTime: String? { self.min { $0.timeOrder < $1.timeOrder } }

  var newestTime: String? {
    filter { $0.timeOrder != .max }.max { $0.timeOrder < $1.timeOrder } ?? last
  }
}

extension String {
  /// Seconds since 1970; the greatest number for what is no time.
  var timeOrder: Int64 {
    var text = self
    return text.withUTF8 { parseTimestamp($0) } ?? .max
  }
}

extension DecodeDiagnostic {
  /// Copies of an element that contradict each other.
  init(conflict element: ElementID) {
    self.init(
      kind: element.type == .node ? .conflictingPositions : .conflictingCopies, element: element)
  }
}
