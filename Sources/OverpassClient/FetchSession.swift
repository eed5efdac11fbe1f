// The rules of asking: what to send, when, and what a reply leads to. No I/O, no clock, no waiting: a
// driver does what `step` says and tells what came of it.

import OverpassDecoding

/// One query's way from the first request to its end.
///
/// ```swift
/// var session = FetchSession(request, endpoints: endpoints, settings: settings)
/// while true {
///   switch session.step {
///   case .send(let request): session.replied(…)
///   case .askForSlots(let request): session.toldSlots(seconds: …)
///   case .wait(let wait): … ; session.waited()
///   case .end(let failure): return
///   }
/// }
/// ```
public struct FetchSession: Sendable {
  /// What is to be done now.
  public enum Step: Sendable {
    /// Send the query.
    case send(HTTPRequest)
    /// Ask for the page that tells when a slot is free.
    case askForSlots(HTTPRequest)
    case wait(Wait)
    /// The query is answered (`nil`), or will not be.
    case end(FetchFailure?)
  }

  /// Why nothing is sent for a while.
  public struct Wait: Sendable, Hashable {
    public enum Reason: UInt8, Sendable, Hashable, CaseIterable {
      /// Another query of this process is at the same server; it takes one at a time.
      case turn = 1
      /// The server had too many queries from this address.
      case rateLimit = 2
      /// The server is overloaded or out of order.
      case serverBusy = 3
      /// The server was out of reach, or the connection broke.
      case connection = 4
      /// The same query is being answered already; its answer will be used.
      case sameQuery = 5
    }

    public var reason: Reason
    public var seconds: Double
  }

  /// What a reply to the query means.
  public enum Verdict: Sendable {
    case answered
    case failed(FetchFailure)
    case redirected(status: Int, location: String?)
  }

  public private(set) var step: Step = .end(nil)
  public private(set) var attempts: [FetchAttempt] = []
  /// The server that is asked, or was asked last.
  public var endpoint: Endpoint { endpoints[current] }

  private let request: QueryRequest
  private let endpoints: [Endpoint]
  private let settings: Settings
  /// How often each endpoint was sent the query.
  private var sent: [Int]
  private var current = 0
  private var redirects = 0
  private var url: String
  /// How often all endpoints that were left had failed.
  private var rounds = 0
  /// What servers asked for since the last wait.
  private var retryAfterSeconds = 0.0

  /// What all queries of a client have in common.
  public struct Settings: Sendable {
    public var application: Application
    public var retry = RetryPolicy()
    /// Sent with every request to the endpoints, but not to where they redirect.
    public var headers: [HTTPHeader] = []
    public var connectTimeoutSeconds = 30.0
    /// Gives numbers from 0 up to 1 that spread the waits of many clients.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    public init(application: Application) { self.application = application }
  }

  /// - Parameter endpoints: in the order in which they are asked; at least one.
  /// - Throws: ``ClientError``.
  public init(_ request: QueryRequest, endpoints: [Endpoint], settings: Settings)
    throws(ClientError)
  {
    guard let first = endpoints.first else {
      throw ClientError(.endpoint, "there is no server to ask")
    }
    try settings.retry.check()
    self.request = request
    self.endpoints = endpoints
    self.settings = settings
    sent = Array(repeating: 0, count: endpoints.count)
    url = first.url
    send()
  }

  // MARK: What came of a step

  /// Tells what the reply to the query means.
  /// - Parameters:
  ///   - retryAfterSeconds: the reply's `Retry-After`.
  ///   - seconds: how long it took.
  public mutating func replied(
    _ verdict: Verdict, retryAfterSeconds: Double? = nil, seconds: Double = 0
  ) {
    var verdict = verdict
    if case .redirected(let status, let location) = verdict {
      do throws(FetchFailure) {
        return try follow(location, status)
      } catch {
        verdict = .failed(error)
      }
    }
    guard case .failed(let plain) = verdict else {
      note(nil, seconds)
      return step = .end(nil)
    }
    let failure = explained(plain)
    note(failure, seconds)
    switch FetchSession.remedy(for: failure) {
    case .none: step = .end(failure)
    case .waitForSlot: waitForSlot(failure, retryAfterSeconds)
    case .tryElsewhere(let reason): tryElsewhere(failure, reason, retryAfterSeconds)
    }
  }

  /// Tells what the page about slots said.
  /// - Parameter seconds: until a slot is free; `nil` when the page did not come or does not tell.
  public mutating func toldSlots(seconds: Double?) {
    guard case .askForSlots = step, let failure = rateLimit else { return }
    let asked = max(RetryPolicy.rateLimitWaitSeconds, retryAfterSeconds, seconds ?? 0)
    wait(asked, .rateLimit, failure)
  }

  /// Tells that the time is over.
  public mutating func waited() { send() }

  // MARK: Rules

  private enum Remedy {
    case none, waitForSlot
    case tryElsewhere(Wait.Reason)
  }

  /// What may help after a failure. Errors of the query, and of the permission to ask, stay what they
  /// are; so does a query that ran out of time or memory, which only a smaller one could change.
  private static func remedy(for failure: FetchFailure) -> Remedy {
    switch failure {
    case .client, .syntax, .query, .cancelled: return .none
    case .transport(let error): return error.isRetryable ? .tryElsewhere(.connection) : .none
    case .decode(let error): return error.kind == .truncated ? .tryElsewhere(.connection) : .none
    case .server(let error):
      switch error.category {
      case .rateLimited: return .waitForSlot
      case .tooBusy, .serverError: return .tryElsewhere(.serverBusy)
      // A page of somebody else, such as that of a wrong URL, is the same the next time.
      case .badResponse, .badRequest, .queryTimeout, .outOfMemory, .runtimeError, .runtimeRemark,
        .unknownRemark, .unexpectedStatus, .unexpectedContentType:
        return .none
      }
    }
  }

  /// Servers that refuse a client do not say why.
  private func explained(_ failure: FetchFailure) -> FetchFailure {
    guard case .server(var error) = failure, let status = error.status,
      [401, 403, 406].contains(status)
    else { return failure }
    let reason =
      status == 401
      ? "the server asks for credentials, which belong in a header of the client"
      : """
      the server refuses this client (HTTP \(status)): operators block programs whose User-Agent \
      does not name the application and its author; this one is "\(settings.application.userAgent)"
      """
    error.messages.append(ServerMessage(reason))
    return .server(error)
  }

  /// The failure for which the page about slots is asked for.
  private var rateLimit: FetchFailure?

  /// After too many queries: a limit of this address is not to be got around at another server.
  private mutating func waitForSlot(_ failure: FetchFailure, _ retryAfter: Double?) {
    guard sent[current] < settings.retry.maximumAttempts else { return step = .end(failure) }
    retryAfterSeconds = max(retryAfter ?? 0, 0)
    rateLimit = failure
    step = .askForSlots(
      HTTPRequest(
        .get, endpoint.statusURL, headers: headers(to: endpoint.statusURL),
        connectTimeoutSeconds: settings.connectTimeoutSeconds, idleTimeoutSeconds: 30))
  }

  private mutating func tryElsewhere(
    _ failure: FetchFailure, _ reason: Wait.Reason, _ retryAfter: Double?
  ) {
    retryAfterSeconds = max(retryAfterSeconds, retryAfter ?? 0)
    let limit = settings.retry.maximumAttempts
    if let next = ((current + 1)..<endpoints.count).first(where: { sent[$0] < limit }) {
      current = next
      return send()
    }
    guard let first = endpoints.indices.first(where: { sent[$0] < limit }) else {
      return step = .end(failure)
    }
    current = first
    rounds += 1
    wait(max(settings.retry.busyWait(after: rounds), retryAfterSeconds), reason, failure)
  }

  private mutating func wait(_ seconds: Double, _ reason: Wait.Reason, _ failure: FetchFailure) {
    retryAfterSeconds = 0
    guard seconds <= settings.retry.maximumWaitSeconds else { return step = .end(failure) }
    let jitter = min(max(settings.random(), 0), 1) * 0.1 * seconds
    step = .wait(Wait(reason: reason, seconds: seconds + jitter))
  }

  /// Redirects are followed with the same query, as the servers that moved mean it; not to a connection
  /// that is less safe. Source: RFC 9110 §15.4.
  private mutating func follow(_ location: String?, _ status: Int) throws(FetchFailure) {
    func refuse(_ reason: String) -> FetchFailure {
      let message = ServerMessage("the server redirects (HTTP \(status)) \(reason)")
      return .server(ServerError(.unexpectedStatus, messages: [message], status: status))
    }
    guard let location else { throw refuse("without saying where to") }
    guard redirects < 5 else { throw refuse("more than five times") }
    let here = URLParts(trusted: url)
    let target: URLParts
    do throws(ClientError) {
      target = try here.resolving(location)
    } catch {
      throw refuse("to \"\(location)\": \(error.message)")
    }
    guard here.scheme == "http" || target.scheme == "https" else {
      throw refuse("to a connection that is not safe: \(location)")
    }
    redirects += 1
    url = target.text
    step = .send(queryRequest())
  }

  // MARK: Requests

  private mutating func send() {
    sent[current] += 1
    redirects = 0
    url = endpoint.url
    step = .send(queryRequest())
  }

  private func queryRequest() -> HTTPRequest {
    let body = request.body
    var headers = headers(to: url)
    headers.append(HTTPHeader("Content-Type", body.type))
    return HTTPRequest(
      .post, url, headers: headers, body: body.bytes,
      connectTimeoutSeconds: settings.connectTimeoutSeconds,
      // The server may work in silence for as long as the query allows it to.
      idleTimeoutSeconds: request.timeoutSeconds + FetchSession.marginSeconds)
  }

  /// How long the way there and back, and a queue at the server, may take besides the query's own time.
  static let marginSeconds = 60.0

  private func headers(to url: String) -> [HTTPHeader] {
    var result = [
      HTTPHeader("User-Agent", settings.application.userAgent), HTTPHeader("Accept", "*/*"),
      HTTPHeader("Accept-Encoding", "gzip"),
    ]
    // Credentials are for the server they were given for.
    if URLParts(trusted: url).origin == endpoint.origin { result += settings.headers }
    return result
  }

  private mutating func note(_ failure: FetchFailure?, _ seconds: Double) {
    attempts.append(
      FetchAttempt(endpoint: endpoint, url: url, seconds: seconds, failure: failure))
  }
}
