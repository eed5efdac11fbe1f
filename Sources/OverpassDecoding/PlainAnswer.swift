// What decoders of all formats start from: the answer decompressed, without byte order mark and
// blanks in front.

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
    if Gzip.isCompressed(source) {
      let plain = try Gzip.decompress(source, maximumBytes: options.maximumBytes)
      self.init(decompressed: plain)
    } else if Bzip2.isCompressed(source) {
      let plain = try Bzip2.decompress(source, maximumBytes: options.maximumBytes)
      self.init(decompressed: plain)
    } else {
      guard source.count <= options.maximumBytes else {
        throw DecodeError(
          .limit, "the answer is larger than \(options.maximumBytes) bytes (max_bytes)")
      }
      self.init(source, Column(), isCut: false)
    }
  }

  private init(decompressed output: consuming Gzip.Output) {
    let isWhole = output.isWhole
    self.init(output.bytes.buffer, output.bytes, isCut: !isWhole)
  }

  private init(
    _ input: UnsafeBufferPointer<UInt8>, _ decompressed: consuming Column<UInt8>, isCut: Bool
  ) {
    self.input = input
    self.decompressed = decompressed
    self.isCut = isCut
    var start = input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < input.count, PlainAnswer.isBlank(input[start]) { start += 1 }
    body = UnsafeBufferPointer(rebasing: input[start...])
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
