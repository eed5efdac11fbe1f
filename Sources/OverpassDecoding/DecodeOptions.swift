// What a decoder accepts, and how much of it.

/// How to decode an answer.
public struct DecodeOptions: Sendable {
  /// Keep what was decoded before the end of a truncated answer. The response is then not complete
  /// and tells where it stopped.
  public var allowTruncated = false
  /// Refuse text that is not UTF-8, instead of replacing it by U+FFFD with a diagnostic.
  public var strictText = false
  /// The largest answer accepted, in bytes after decompression.
  public var maximumBytes = 1 << 40
  /// How deep JSON values may nest; ``largestDepth`` at most.
  public var maximumDepth = 64
  /// Deeper nesting could exhaust the stack of a small thread.
  public static let largestDepth = 512

  public init() {}
}
