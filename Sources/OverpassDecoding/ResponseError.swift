// Why responses could not be merged, changed or filtered.

import OSMModel

public enum ResponseError: Error, Sendable, Equatable {
  /// A response lists changes, where elements are needed. The number says which, from 0.
  case hasChanges(Int)
  /// A response holds elements, where a list of changes is needed. The number says which, from 0.
  case hasNoChanges(Int)
  /// The result would have more than 2^32 elements, tags, refs, members or bytes of text.
  case limit

  /// The error in words.
  public var message: String {
    switch self {
    case .hasChanges(let number):
      "response \(number + 1) lists changes of elements (an augmented diff or a change file), "
        + "which can only be applied to another one"
    case .hasNoChanges(let number):
      "change file \(number + 1) lists no changes of elements"
    case .limit: "more than 2^32 elements, tags, refs, members or bytes of text"
    }
  }
}
