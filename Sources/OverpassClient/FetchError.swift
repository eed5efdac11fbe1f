// What came of a fetch: its result, or why there is none, and what was tried on the way.

import OSMModel
import OverpassDecoding
import OverpassQuery

/// Why a query got no answer.
public enum FetchFailure: Error, Sendable {
  /// The call makes no sense.
  case client(ClientError)
  /// The text is no query.
  case syntax(QuerySyntaxError)
  /// The query cannot be printed.
  case query(QueryError)
  /// The server reported an error, or sent something that is no answer.
  case server(ServerError)
  /// The answer is damaged or beyond a limit.
  case decode(DecodeError)
  /// The server was not reached, or the connection broke.
  case transport(TransportError)
  /// The caller asked to stop.
  case cancelled

  /// The failure in words.
  public var text: String {
    switch self {
    case .client(let error): error.message
    case .syntax(let error): error.description
    case .query(let error): error.description
    case .server(let error): error.text
    case .decode(let error): error.message
    case .transport(let error): error.message
    case .cancelled: "the query was cancelled"
    }
  }
}

/// One request for the query, and what became of it.
public struct FetchAttempt: Sendable {
  public let endpoint: Endpoint
  /// Where it went, which redirects may have changed.
  public let url: String
  /// How long it took, from sending it to the last byte.
  public let seconds: Double
  /// `nil` for the one that was answered.
  public let failure: FetchFailure?
}

/// A query without an answer.
public struct FetchError: Error, Sendable {
  public var failure: FetchFailure
  /// All requests for the query, in their order.
  public var attempts: [FetchAttempt]
  /// The data that came before the end: where the server ran out of time or memory, or where the
  /// connection broke. `nil` when nothing came.
  public var partial: Response?

  public init(
    _ failure: FetchFailure, attempts: [FetchAttempt] = [], partial: Response? = nil
  ) {
    self.failure = failure
    self.attempts = attempts
    self.partial = partial
  }
}

/// An answer, and where it is from.
public struct FetchResult<Content: Sendable>: Sendable {
  public let content: Content
  /// The server that answered; for an answer from the cache, the one that did then.
  public let endpoint: Endpoint
  /// All requests for the query, in their order; none for an answer from the cache.
  public let attempts: [FetchAttempt]
  public let isFromCache: Bool

  func with<Other>(_ content: Other) -> FetchResult<Other> {
    FetchResult<Other>(
      content: content, endpoint: endpoint, attempts: attempts, isFromCache: isFromCache)
  }
}

extension FetchResult where Content == Response {
  public var response: Response { content }
}
