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
  /// The most elements accepted.
  public var maximumElements = Int(UInt32.max)
  /// The most text accepted: keys, values, roles and names of users, each distinct one counted once,
  /// in bytes.
  public var maximumTextBytes = Int(UInt32.max)
  /// How deep JSON values may nest; ``largestDepth`` at most.
  public var maximumDepth = 64
  /// Deeper nesting could exhaust the stack of a small thread.
  public static let largestDepth = 512

  /// On how many threads a large answer may be decoded, when all of it is at hand; 0 for as many as
  /// there are processors.
  public var maximumThreads = 0

  public init() {}
}
