// How far a query has come, and the caller's say in whether it goes on.

/// How far a query has come.
public struct FetchProgress: Sendable {
  public enum Phase: UInt8, Sendable, Hashable, CaseIterable {
    /// Nothing is sent for a while: see ``FetchProgress/wait``.
    case waiting = 1
    /// The query is at the server; nothing came yet.
    case running = 2
    /// The answer comes and is decoded meanwhile.
    case downloading = 3
    /// All bytes are there; the rest of them is decoded.
    case decoding = 4
  }

  public var phase: Phase
  public var endpoint: Endpoint
  /// The number of the request for this query, from 1.
  public var attempt: Int
  /// What is waited for, and how much longer; endless where that is not known.
  public var wait: FetchSession.Wait?
  /// What made the last request fail, if there was one.
  public var lastFailure: FetchFailure?
  /// Bytes of the answer, as they came: compressed ones where it is compressed.
  public var bytes = 0
  /// The size of the answer; `nil` as long as it is not known.
  public var totalBytes: Int?
  /// The elements decoded so far.
  public var elements = 0
  /// How many tiles of a divided box were asked for, and how many are known to be left; 0 for a query
  /// that is not divided.
  public var tilesDone = 0
  public var tilesLeft = 0

  /// Called whenever the phase changes, about once a second, and every half megabyte or so, on the thread
  /// that asked; false cancels.
  public typealias Handler = (FetchProgress) -> Bool
}
