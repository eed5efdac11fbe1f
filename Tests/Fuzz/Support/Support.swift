// What the harnesses share: the input as arrays and texts, and a way to stop with a reason.

import OverpassKit

/// Stops the process with a message when something that must hold does not.
public func require(_ holds: Bool, _ message: @autoclosure () -> String) {
  guard !holds else { return }
  fatalError(message())
}

/// Reads choices off the bytes of an input; zeros behind its end.
public struct ByteReader {
  private var rest: ArraySlice<UInt8>

  public init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = Array(bytes)[...] }

  public var isEmpty: Bool { rest.isEmpty }

  public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number from 0 to `count` - 1.
  public mutating func below(_ count: Int) -> Int { count < 1 ? 0 : Int(byte()) % count }

  /// All that is left.
  public mutating func bytes() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }
}

/// The options that the first byte of an input asks for.
public func decodeOptions(_ choice: UInt8) -> DecodeOptions {
  var options = DecodeOptions()
  options.allowTruncated = choice & 1 != 0
  options.strictText = choice & 2 != 0
  if choice & 4 != 0 { options.maximumDepth = Int(choice >> 3) }
  // A few bytes of gzip can stand for gigabytes.
  options.maximumBytes = 1 << 22
  return options
}

/// Looks at every element of a response, as a reader would.
public func walk(_ response: Response) {
  let dataset = response.dataset
  var position = 0
  while let index = dataset.element(at: position) {
    for tag in dataset.tags(index) {
      _ = dataset.strings.string(tag.key)
      _ = dataset.strings.string(tag.value)
    }
    _ = dataset.metadata(index)
    _ = dataset.typeName(index)
    // Derived elements have numbers but no identity.
    if index.type != .derived, let number = dataset.number(index) {
      require(
        dataset.find(ElementID(index.type, number)) != nil, "an element is not found by its id")
    }
    require(dataset.position(of: index) == position, "an element is not at its own position")
    position += 1
  }
  _ = response.messages
  for row in 0..<dataset.ways.elements.count {
    _ = dataset.ways.refs(row).reduce(0, &+)
    for place in dataset.ways.inlineGeometry(row) ?? UnsafeBufferPointer(start: nil, count: 0) {
      _ = place.isValid
    }
  }
  for row in 0..<dataset.relations.elements.count {
    for member in dataset.relations.memberRange(row) {
      _ = dataset.relations.inlineGeometry(member: member)?.count
    }
    for member in dataset.relations.members(row) { _ = dataset.strings.string(member.role) }
  }
}
