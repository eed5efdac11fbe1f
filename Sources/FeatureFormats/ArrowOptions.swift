// What a caller may choose about tables for Arrow.

/// The columns of a table of features, and how many rows are handed over at once.
public struct ArrowOptions: Sendable, Equatable {
  /// Whether there is a column `tags` with all tags.
  public var hasTags = true
  /// Keys of tags that get columns of their own. Where a key is the name of another column, its
  /// column is called `tag:` and the key.
  public var tagColumns: [String] = []
  /// Whether there are columns `version`, `timestamp`, `changeset`, `uid` and `user`.
  public var hasMetadata = false
  /// How many rows a batch has at most.
  public var batchSize = 65_536

  public init() {}
}

/// Why features cannot be handed over as a table.
public struct ArrowError: Error, Sendable, Equatable {
  public var message: String

  public init(_ message: String) { self.message = message }
}
