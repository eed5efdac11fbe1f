// Compressed answers: which they are by their first bytes, and how they are read in portions.

import OSMModel

/// How an answer is compressed.
enum Compression {
  case gzip, bzip2

  /// How many bytes tell what an answer is.
  static let headLength = 5

  /// `nil` for bytes that are not compressed.
  init?(_ head: UnsafeBufferPointer<UInt8>) {
    if Compression.isGzip(head) {
      self = .gzip
    } else if Compression.isBzip2(head) {
      self = .bzip2
    } else {
      return nil
    }
  }

  /// Source: RFC 1952 §2.3.1.
  private static func isGzip(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    head.count >= 2 && head[0] == 0x1F && head[1] == 0x8B
  }

  /// `BZh`, the size of the blocks, and the mark of the first block or of the end.
  private static func isBzip2(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    guard head.count >= 4, head.starts(with: [0x42, 0x5A, 0x68]),
      (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(head[3])
    else { return false }
    return head.count == 4 || head[4] == 0x31 || head[4] == 0x17
  }

  /// Whether a few bytes, too few to be recognized, could be the first ones of compressed data.
  func mayBegin(with bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let magic: [UInt8] =
      switch self {
      case .gzip: [0x1F, 0x8B]
      case .bzip2: [0x42, 0x5A, 0x68]
      }
    return magic.starts(with: bytes)
  }
}

/// A stream of compressed data, taken apart by a library.
protocol Inflating: ~Copyable {
  static var compression: Compression { get }
  /// `nil` when the library has no memory.
  init?()
  /// Takes some of the input, and adds what comes out of it to the output; at most as much as the
  /// output has room for.
  mutating func inflate(_ input: UnsafeBufferPointer<UInt8>, into output: inout Column<UInt8>)
    -> InflateStep
}

/// What became of a portion of compressed data.
struct InflateStep {
  enum State { case more, ended, damaged }
  var taken: Int
  var state: State
}

/// Decompresses portions and hands on what comes out. Several streams behind each other are one, as
/// RFC 1952 §2.2 says and as parallel compressors write them. Zeros behind a stream are padding, as
/// tapes and disks leave it; anything else is damage, because a stream that cannot be recognized
/// would be data lost.
struct Decompressor<Library: Inflating & ~Copyable>: ~Copyable {
  private var library: Library?
  private var output = Column<UInt8>()
  /// Bytes behind a stream that may begin another one.
  private var heldBack = Column<UInt8>()
  private var taken = 0
  private enum State { case within, between }
  private var state = State.between
  private var hasStream = false

  private static var room: Int { 1 << 18 }

  init() {}

  /// Whether the data may end here.
  var isWhole: Bool { hasStream && state == .between && heldBack.isEmpty }

  /// - Parameter body: gets what comes out, borrowed for the call.
  mutating func push(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) throws(DecodeError) -> Void
  ) throws(DecodeError) {
    var rest = bytes
    while !rest.isEmpty {
      switch state {
      case .within: try inflate(&rest, body)
      case .between where hasStream && heldBack.isEmpty && rest[0] == 0:
        let padding = rest.prefix { $0 == 0 }.count
        taken += padding
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(padding))
      case .between where heldBack.isEmpty && rest.count >= Compression.headLength:
        try begin(rest)
      case .between:
        let missing = Compression.headLength - heldBack.count
        heldBack.append(contentsOf: UnsafeBufferPointer(rebasing: rest.prefix(missing)))
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(missing))
        if heldBack.count == Compression.headLength { try beginWithHeldBack(body) }
      }
    }
  }

  /// Tells that there are no more bytes.
  mutating func finish(_ body: (UnsafeBufferPointer<UInt8>) throws(DecodeError) -> Void)
    throws(DecodeError)
  {
    guard state == .between, !heldBack.isEmpty else { return }
    if Compression(heldBack.buffer) == Library.compression {
      try beginWithHeldBack(body)
    } else if !Library.compression.mayBegin(with: heldBack.buffer) {
      throw damaged
    }
  }

  private var damaged: DecodeError {
    DecodeError(
      .compression, "damaged compressed data near byte \(taken) of the compressed input")
  }

  private mutating func beginWithHeldBack(
    _ body: (UnsafeBufferPointer<UInt8>) throws(DecodeError) -> Void
  ) throws(DecodeError) {
    var head = Column<UInt8>()
    swap(&head, &heldBack)
    try begin(head.buffer)
    // No stream is as short as its head, so that all of it is taken.
    var rest = head.buffer
    if state == .within { try inflate(&rest, body) }
  }

  /// Begins a stream, which the bytes must begin.
  private mutating func begin(_ head: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    guard Compression(head) == Library.compression else { throw damaged }
    library = Library()
    guard library != nil else {
      throw DecodeError(.compression, "no memory for the decompression")
    }
    state = .within
    hasStream = true
  }

  /// Takes bytes of a stream, up to its end.
  private mutating func inflate(
    _ rest: inout UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) throws(DecodeError) -> Void
  ) throws(DecodeError) {
    var isFull = false
    // What was taken may still give more than one block of output.
    while !rest.isEmpty || isFull {
      output.reserve(Self.room)
      guard let step = library?.inflate(rest, into: &output) else { return }
      taken += step.taken
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst(step.taken))
      isFull = output.spareCapacity.isEmpty
      if isFull || step.state != .more || rest.isEmpty {
        try body(output.buffer)
        output.truncate(to: 0)
      }
      switch step.state {
      case .more: continue
      case .damaged: throw damaged
      case .ended:
        library = nil
        state = .between
        return
      }
    }
  }
}
