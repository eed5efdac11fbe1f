// Exports: what is wrong with the data.

import COverpassKit
import OverpassKit

/// Problems, with the id lists C borrows from them.
final class ProblemsHandle: Sendable {
  let problems: [Problem]
  /// Ways and nodes of all problems, one list behind the other.
  let ids: Column<Int64>
  let starts: [Int]

  init(_ problems: [Problem]) {
    self.problems = problems
    var ids = Column<Int64>()
    var starts: [Int] = []
    for problem in problems {
      starts.append(ids.count)
      for id in problem.ways { ids.append(id) }
      for id in problem.nodes { ids.append(id) }
    }
    self.ids = ids
    self.starts = starts
  }
}

@_cdecl("opk_features_problems") @implementation
public func opk_features_problems(
  _ features: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let handle = unsafe object(features, FeaturesHandle.self) else {
      throw .misuse("features is NULL")
    }
    unsafe out.pointee = unsafe makeHandle(ProblemsHandle(handle.features.problems()))
  }
}

@_cdecl("opk_problems_count") @implementation
public func opk_problems_count(_ problems: OpaquePointer!) -> Int {
  unsafe object(problems, ProblemsHandle.self)?.problems.count ?? 0
}

@_cdecl("opk_problems_get") @implementation
public func opk_problems_get(
  _ problems: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_problem>!
) -> opk_status {
  guard let handle = unsafe object(problems, ProblemsHandle.self), let out = unsafe out,
    handle.problems.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  let problem = handle.problems[index]
  let ids = unsafe handle.ids.buffer.baseAddress.map { unsafe $0 + handle.starts[index] }
  var result = unsafe opk_problem()
  unsafe result.element_type = UInt32(problem.element.type.rawValue)
  let number = problem.element.number
  unsafe result.element_id = number == ElementID.unknownNumber ? 0 : number
  unsafe result.kind = unsafe text(problem.kind.name)
  unsafe result.ways = unsafe problem.ways.isEmpty ? nil : ids
  unsafe result.way_count = problem.ways.count
  unsafe result.nodes =
    unsafe problem.nodes.isEmpty ? nil : ids.map { unsafe $0 + problem.ways.count }
  unsafe result.node_count = problem.nodes.count
  unsafe result.position = cPosition(problem.position)
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_problems_free") @implementation
public func opk_problems_free(_ problems: OpaquePointer!) {
  unsafe freeHandle(problems, ProblemsHandle.self)
}
