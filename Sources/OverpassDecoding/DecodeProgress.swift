// How far decoding has come, and the caller's say in whether it goes on.

/// How far decoding has come.
public struct DecodeProgress: Sendable, Equatable {
  /// Bytes of the input that are done with, as they came: compressed ones where it is compressed.
  public var bytes: Int
  /// The size of the input; `nil` where it is not known, as with a pipe.
  public var totalBytes: Int?
  /// The elements decoded so far.
  public var elements: Int

  public init(bytes: Int, totalBytes: Int?, elements: Int) {
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.elements = elements
  }

  /// Called every megabyte or so, and at the end, on the thread that asked for decoding; false stops
  /// decoding with an error of kind ``DecodeError/Kind/cancelled``.
  public typealias Handler = (DecodeProgress) -> Bool

  /// The number of bytes between two calls of a handler.
  static var step: Int { 1 << 20 }
}

/// A handler and what it need not be told each time.
struct ProgressReporter {
  var handler: DecodeProgress.Handler?
  var totalBytes: Int?
  /// What was reported already, where decoding begins anew: no handler sees it go back.
  var reached = (bytes: 0, elements: 0)

  init(handler: DecodeProgress.Handler?, totalBytes: Int?) {
    self.handler = handler
    self.totalBytes = totalBytes
  }

  /// Reports to nobody.
  static var silent: ProgressReporter { ProgressReporter(handler: nil, totalBytes: nil) }

  /// - Throws: a fault of kind `cancelled`.
  func report(bytes: Int, elements: Int) throws(Fault) {
    guard let handler else { return }
    let progress = DecodeProgress(
      bytes: max(bytes, reached.bytes), totalBytes: totalBytes,
      elements: max(elements, reached.elements))
    guard handler(progress) else {
      throw Fault(kind: .cancelled, message: "decoding was cancelled", offset: bytes)
    }
  }
}
