// What can be wrong with an answer's bytes, and where.

import OSMModel

/// Why an answer could not be decoded.
public struct DecodeError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// The bytes break the rules of the format.
    case syntax
    /// The answer stops in the middle.
    case truncated
    /// Well-formed, but no answer of Overpass.
    case notOverpass
    /// A value that cannot be held: an id that is no 64-bit whole number, an unknown member type.
    case value
    /// Another format than the one asked for.
    case format
    /// Compressed data that is damaged.
    case compression
    /// Text that is not UTF-8, where ``DecodeOptions/strictText`` asks for it.
    case text
    /// A limit of ``DecodeOptions`` was reached.
    case limit
    /// The caller's progress handler asked to stop.
    case cancelled
    /// The file could not be opened.
    case fileOpen
    /// The file could not be read.
    case fileRead
  }

  public var kind: Kind
  public var message: String
  /// Bytes from the start of the decompressed answer; `nil` where no byte is at fault.
  public var offset: Int?
  /// From 1; `nil` where no byte is at fault.
  public var line: Int?
  /// In bytes, from 1.
  public var column: Int?

  /// The tables address their parts with 32 bits.
  static var overfull: DecodeError {
    DecodeError(.limit, "more than 2^32 elements, tags, refs, members or bytes of text")
  }

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// An error at a byte of the input, whose line and column it looks up.
  init(_ fault: Fault, in input: UnsafeBufferPointer<UInt8>) {
    kind = fault.kind
    message = "\(fault.message)"
    // No byte is at fault when somebody asked to stop.
    guard fault.kind != .cancelled else { return }
    let offset = min(max(fault.offset, 0), input.count)
    var line = 1
    var lineStart = 0
    let text = UnsafeRawPointer(input.baseAddress)
    while let text, let end = memchr(text + lineStart, 0x0A, offset - lineStart) {
      line += 1
      lineStart = UnsafeRawPointer(end) - text + 1
    }
    self.offset = offset
    self.line = line
    column = offset - lineStart + 1
  }
}

/// The form in which scanners throw: no storage to manage, so that throwing costs the fast path
/// nothing.
struct Fault: Error {
  var kind: DecodeError.Kind
  var message: StaticString
  var offset: Int
}
