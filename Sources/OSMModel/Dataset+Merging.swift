// One dataset made of several.

extension Dataset {
  /// Unites datasets by (type, id). Copies of an element are merged as those within one answer:
  /// the highest version wins, and among copies of that version, or without one, each part comes
  /// from the first that has it; boxes are united, and the gaps that `out geom` with a box leaves
  /// are filled. Areas are united by id, too; other derived elements are all kept.
  ///
  /// Where all datasets stand in the order in which servers print (nodes, ways, relations, by
  /// ascending ids), the result does; otherwise each element stands where it came first.
  ///
  /// - Returns: `nil` where the sums are more than 32-bit offsets can address.
  /// - Complexity: O(n log k) for k datasets in the servers' order and n elements; otherwise
  ///   O(n log n).
  package static func merging(_ datasets: [Dataset]) -> FinishedDataset? {
    var builder = DatasetBuilder()
    for dataset in datasets {
      builder.append(dataset)
      guard !builder.isOverfull else { return nil }
    }
    return builder.finishMerging(isSorting: datasets.allSatisfy(\.isInServerOrder))
  }

  /// Whether nodes come first, then ways, relations, areas and other derived elements, each once and
  /// the former by ascending ids.
  var isInServerOrder: Bool {
    for (run, next) in zip(order, order.dropFirst())
    where run.type.rawValue >= next.type.rawValue {
      return false
    }
    return [ElementType.node, .way, .relation].allSatisfy { type in
      withElements(type) { $0.rowsByID.isEmpty }
    }
  }
}

extension DatasetBuilder {
  /// Notes the order of tables whose rows are sorted: a run a type, the derived ones as they are.
  mutating func sortRuns() {
    let derivedRuns = order.filter { $0.type == .area || $0.type == .derived }
    let counts: [(ElementType, Int)] = [
      (.node, nodes.count), (.way, ways.count), (.relation, relations.count),
    ]
    order = []
    for (type, count) in counts where count > 0 {
      order.append(
        ElementRun(type: type, firstRow: 0, count: count, firstPosition: position))
    }
    for var run in derivedRuns {
      run.firstPosition = position
      order.append(run)
    }
  }

  /// The number of elements in the runs.
  private var position: Int { order.last.map { $0.firstPosition + $0.count } ?? 0 }
}
