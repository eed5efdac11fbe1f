// What decoders of whole answers start from: the answer without byte order mark and blanks in front.

import OSMModel

/// The bytes of an answer, ready to be decoded. It borrows the input, which must outlive it.
struct PlainAnswer: ~Copyable {
  private let decompressed: Column<UInt8>
  /// The answer after decompression: offsets in errors count from its start.
  let input: UnsafeBufferPointer<UInt8>
  /// The answer from its first byte that means something.
  let body: UnsafeBufferPointer<UInt8>
  /// Whether compressed data stopped in the middle.
  private let isCut: Bool

  /// - Throws: ``DecodeError`` of kind `compression` or `limit`.
  init(_ source: UnsafeBufferPointer<UInt8>, options: DecodeOptions) throws(DecodeError) {
    switch Compression(source) {
    case .gzip: try self.init(Decompressor<GzipInflater>(), source, options)
    case .bzip2: try self.init(Decompressor<Bzip2Inflater>(), source, options)
    case nil:
      guard source.count <= options.maximumBytes else { throw DecodeError.tooLarge(options) }
      self.init(source, Column(), isCut: false)
    }
  }

  private init<Library: Inflating & ~Copyable>(
    _ decompressor: consuming Decompressor<Library>, _ source: UnsafeBufferPointer<UInt8>,
    _ options: DecodeOptions
  ) throws(DecodeError) {
    var plain = Column<UInt8>()
    try decompressor.push(source) { bytes throws(DecodeError) in
      plain.append(contentsOf: bytes)
      guard plain.count <= options.maximumBytes else { throw DecodeError.tooLarge(options) }
    }
    try decompressor.finish { bytes throws(DecodeError) in plain.append(contentsOf: bytes) }
    let isWhole = decompressor.isWhole
    let bytes = plain.buffer
    self.init(bytes, plain, isCut: !isWhole)
  }

  private init(
    _ input: UnsafeBufferPointer<UInt8>, _ decompressed: consuming Column<UInt8>, isCut: Bool
  ) {
    self.input = input
    self.decompressed = decompressed
    self.isCut = isCut
    body = UnsafeBufferPointer(rebasing: input[PlainAnswer.headLength(input)...])
  }

  /// The length of what stands in front of an answer: a byte order mark and blanks.
  static func headLength(_ input: UnsafeBufferPointer<UInt8>) -> Int {
    var start = input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < input.count, isBlank(input[start]) { start += 1 }
    return start
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  var bodyOffset: Int { input.count - body.count }

  /// To be thrown where there is nothing to decode.
  var emptyFault: Fault {
    Fault(kind: .truncated, message: "the answer is empty", offset: input.count)
  }

  /// To be called when the body was read to its end. The offset counts from the start of the body.
  func checkEnd() throws(Fault) {
    if isCut {
      throw Fault(
        kind: .truncated, message: "the compressed data stops in the middle", offset: body.count)
    }
  }
}

extension DecodeError {
  static func tooLarge(_ options: DecodeOptions) -> DecodeError {
    DecodeError(.limit, "the answer is larger than \(options.maximumBytes) bytes (max_bytes)")
  }
}
