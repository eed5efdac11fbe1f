// How often and after which waits a request is repeated.
//
// Source: the rules that the operator of the main server gave in April 2026 (after a 429 at least 30
// seconds of silence, one request at a time), drolbr/Overpass-API issue 791.

/// When to send a query again that a server could not answer.
public struct RetryPolicy: Sendable, Hashable {
  /// How often a query is sent to one endpoint at most, the first time counted; at least 1.
  public var maximumAttempts = 5
  /// How long to wait before the first repetition where a server was busy or out of reach. Each
  /// further wait is twice as long.
  public var busyWaitSeconds = 15.0
  /// The longest wait that is accepted. A server that asks for more gets no second try.
  public var maximumWaitSeconds = 900.0

  /// How long the address must be silent after it sent too many queries. Not the caller's choice.
  public static let rateLimitWaitSeconds = 30.0

  public init() {}

  /// Sends every query once.
  public static var never: RetryPolicy {
    var policy = RetryPolicy()
    policy.maximumAttempts = 1
    return policy
  }

  func check() throws(ClientError) {
    guard maximumAttempts >= 1 else {
      throw ClientError(.setting, "a query is sent once at least")
    }
    guard busyWaitSeconds >= 0, busyWaitSeconds.isFinite, maximumWaitSeconds >= 0,
      maximumWaitSeconds.isFinite
    else { throw ClientError(.setting, "a wait is a number of seconds, 0 or more") }
  }

  /// - Parameter failures: how many times it failed so far, at least 1.
  func busyWait(after failures: Int) -> Double {
    var wait = busyWaitSeconds
    for _ in 1..<max(min(failures, 30), 1) { wait *= 2 }
    return min(wait, maximumWaitSeconds)
  }
}
