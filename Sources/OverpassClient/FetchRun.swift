// One query on its way: a session's steps, done.

import OSMModel
import OverpassDecoding

/// Does what a ``FetchSession`` says, on the calling thread.
final class FetchRun {
  private let configuration: OverpassClient.Configuration
  private let request: QueryRequest
  private let form: QueryReply.Form
  private let options: DecodeOptions
  private let cancellation: Cancellation
  private let handler: FetchProgress.Handler?
  private var told: FetchProgress
  /// When progress was reported last, in seconds of the clock.
  private var toldAt = 0.0
  private var turn: HostTurns.Turn?
  /// Data of the last request that failed in the middle, and the server that it is from.
  private var partial: (content: FetchedContent, endpoint: Endpoint)?

  init(
    _ client: OverpassClient, _ request: QueryRequest, _ form: QueryReply.Form,
    _ options: DecodeOptions, _ cancellation: Cancellation, _ handler: FetchProgress.Handler?
  ) {
    configuration = client.configuration
    self.request = request
    self.form = form
    self.options = options
    self.cancellation = cancellation
    self.handler = handler
    told = FetchProgress(
      phase: .waiting, endpoint: client.configuration.endpoints[0], attempt: 1, wait: nil)
  }

  func fetch() throws(FetchError) -> FetchResult<FetchedContent> {
    if let kept = try findKept() { return kept }
    var settings = FetchSession.Settings(application: configuration.application)
    settings.retry = configuration.retry
    settings.headers = configuration.headers
    settings.connectTimeoutSeconds = configuration.connectTimeoutSeconds
    settings.random = configuration.random
    var session: FetchSession
    do throws(ClientError) {
      session = try FetchSession(request, endpoints: configuration.endpoints, settings: settings)
    } catch {
      throw FetchError(.client(error))
    }
    defer { turn = nil }
    while true {
      told.endpoint = session.endpoint
      told.attempt = session.attempts.count + 1
      told.lastFailure = session.attempts.last?.failure
      switch session.step {
      case .send(let request):
        let content = try send(request, &session)
        if case .end(nil) = session.step, let content {
          return FetchResult(
            content: content, endpoint: session.endpoint, attempts: session.attempts,
            isFromCache: false)
        }
      case .askForSlots(let request):
        session.toldSlots(seconds: try askForSlots(request, session))
      case .wait(let wait):
        if wait.reason == .rateLimit { keepSilent(wait.seconds) }
        // Nobody need wait for a server that this query has left.
        if turn?.host != session.endpoint.host { turn = nil }
        try pause(wait, session)
        session.waited()
      case .end(let failure):
        guard options.allowTruncated, let partial else {
          throw FetchError(
            failure ?? .cancelled, attempts: session.attempts, partial: partialResponse)
        }
        return FetchResult(
          content: partial.content, endpoint: partial.endpoint, attempts: session.attempts,
          isFromCache: false)
      }
    }
  }

  private func cancelled(_ session: FetchSession) -> FetchError {
    FetchError(.cancelled, attempts: session.attempts, partial: partialResponse)
  }

  private var partialResponse: Response? {
    guard case .elements(let response) = partial?.content else { return nil }
    return response
  }

  // MARK: Requests

  private func send(_ request: HTTPRequest, _ session: inout FetchSession) throws(FetchError)
    -> FetchedContent?
  {
    try takeTurn(URLParts(trusted: request.url).host, session)
    let entry = configuration.cache?.begin(self.request, session.endpoint)
    let reply = QueryReply(form, options, entry)
    told.bytes = 0
    told.totalBytes = nil
    told.elements = 0
    told.wait = nil
    told.phase = .running
    tell()
    let start = configuration.clock.now()
    let failure = perform(request, reply)
    let seconds = max(configuration.clock.now() - start, 0)
    if cancellation.isCancelled {
      killQueries(session)
      throw cancelled(session)
    }
    told.phase = .decoding
    tell()
    let (verdict, content) = reply.judge(failure)
    told.elements = content?.elementCount ?? 0
    tell()
    guard !cancellation.isCancelled else { throw cancelled(session) }
    let wait = reply.head?.value(of: "Retry-After").flatMap {
      retryAfterSeconds($0, now: configuration.clock.unixTime())
    }
    if case .failed(.server(let error)) = verdict, error.category == .rateLimited {
      // Also where this query is not repeated: the next one is not to come at once.
      keepSilent(max(RetryPolicy.rateLimitWaitSeconds, wait ?? 0))
    }
    session.replied(verdict, retryAfterSeconds: wait, seconds: seconds)
    if case .answered = verdict {
      let now = configuration.clock.unixTime()
      entry?.commit(time: now)
      configuration.cache?.shrink(now: now)
    } else if let content {
      // The session may be at the next server already.
      partial = (content, told.endpoint)
    }
    return content
  }

  private func perform(_ request: HTTPRequest, _ reply: QueryReply) -> TransportError? {
    var reported = 0
    let receiver = HTTPReceiver(
      cancellation: cancellation, tick: tell,
      head: { head in
        let goesOn = reply.receive(head)
        self.told.totalBytes = head.contentLength
        self.told.phase = .downloading
        self.tell()
        return goesOn && !self.cancellation.isCancelled
      },
      body: { bytes in
        // A host's transport may have the whole body in one piece.
        var rest = bytes
        while !rest.isEmpty {
          let part = UnsafeBufferPointer(rebasing: rest.prefix(FetchRun.step))
          rest = UnsafeBufferPointer(rebasing: rest.dropFirst(FetchRun.step))
          let goesOn = reply.receive(part)
          self.told.bytes = reply.byteCount
          self.told.elements = reply.elementCount
          // Ticks come only while nothing else does.
          if reply.byteCount - reported >= FetchRun.step
            || self.configuration.clock.now() - self.toldAt >= 1
          {
            reported = reply.byteCount
            self.tell()
          }
          guard goesOn, !self.cancellation.isCancelled else { return false }
        }
        return true
      })
    do throws(TransportError) {
      try configuration.transport.perform(request, receiver)
      return nil
    } catch {
      return error
    }
  }

  /// Bytes between two reports.
  private static let step = 1 << 19

  /// - Returns: the seconds until a slot is free, where the page tells.
  private func askForSlots(_ request: HTTPRequest, _ session: FetchSession) throws(FetchError)
    -> Double?
  {
    told.phase = .waiting
    told.wait = FetchSession.Wait(
      reason: .rateLimit, seconds: RetryPolicy.rateLimitWaitSeconds)
    tell()
    let status = configuration.status(request, cancellation, tick: tell)
    guard !cancellation.isCancelled else { throw cancelled(session) }
    guard case .success(let status) = status else { return nil }
    return status.waitSeconds.map { Double($0) }
  }

  /// Ends this address's queries at the server, which nobody waits for any more.
  private func killQueries(_ session: FetchSession) {
    guard configuration.killsQueriesOnCancel else { return }
    configuration.kill(at: session.endpoint)
  }

  // MARK: Waiting

  /// Waits until nobody else asks the server, and for the end of the silence that it wants.
  private func takeTurn(_ host: String, _ session: FetchSession) throws(FetchError) {
    if turn?.host != host {
      turn = nil
      told.wait = FetchSession.Wait(reason: .turn, seconds: .infinity)
      turn = configuration.turns.take(host, cancellation) {
        self.told.phase = .waiting
        self.tell()
        return !self.cancellation.isCancelled
      }
      guard turn != nil else { throw cancelled(session) }
    }
    let silence = configuration.turns.silence(host, now: configuration.clock.now())
    // A client that had to wait added its jitter.
    guard silence <= configuration.retry.maximumWaitSeconds * 1.1 else {
      let message = ServerMessage(
        "\(host) had too many queries from here, and is to be left alone for another "
          + "\(Int(min(silence, 1e9).rounded(.up))) seconds")
      throw FetchError(
        .server(ServerError(.rateLimited, messages: [message])), attempts: session.attempts,
        partial: partialResponse)
    }
    if silence > 0 {
      try pause(FetchSession.Wait(reason: .rateLimit, seconds: silence), session)
    }
  }

  /// Nothing more is sent to the server at hand for some time, by nobody.
  private func keepSilent(_ seconds: Double) {
    guard let turn else { return }
    configuration.turns.silence(turn.host, until: configuration.clock.now() + seconds)
  }

  private func pause(_ wait: FetchSession.Wait, _ session: FetchSession) throws(FetchError) {
    let end = configuration.clock.now() + wait.seconds
    told.phase = .waiting
    while true {
      let left = end - configuration.clock.now()
      guard left > 0 else { break }
      told.wait = FetchSession.Wait(reason: wait.reason, seconds: left)
      tell()
      guard !cancellation.isCancelled else { throw cancelled(session) }
      configuration.clock.wait(min(left, 1), cancellation)
    }
    told.wait = nil
    guard !cancellation.isCancelled else { throw cancelled(session) }
  }

  // MARK: Telling

  private func tell() {
    guard let handler, !cancellation.isCancelled else { return }
    toldAt = configuration.clock.now()
    if !handler(told) { cancellation.cancel() }
  }

  /// Tells that another call is at the same query.
  func tellSameQuery() -> Bool {
    told.phase = .waiting
    told.wait = FetchSession.Wait(reason: .sameQuery, seconds: .infinity)
    tell()
    return !cancellation.isCancelled
  }

  // MARK: The cache

  private func findKept() throws(FetchError) -> FetchResult<FetchedContent>? {
    guard let cache = configuration.cache else { return nil }
    for endpoint in configuration.endpoints {
      let now = configuration.clock.unixTime()
      guard let kept = cache.find(request, endpoint, now: now) else { continue }
      told.endpoint = endpoint
      told.phase = .decoding
      told.bytes = kept.bytes.count
      told.totalBytes = kept.bytes.count
      tell()
      guard !cancellation.isCancelled else { throw FetchError(.cancelled) }
      let content = content(of: kept)
      guard !cancellation.isCancelled else { throw FetchError(.cancelled) }
      guard let content else { continue }
      told.elements = content.elementCount
      tell()
      return FetchResult(content: content, endpoint: endpoint, attempts: [], isFromCache: true)
    }
    return nil
  }

  /// `nil` for what cannot be used, which is then asked for anew.
  private func content(of kept: CachedAnswer) -> FetchedContent? {
    switch form {
    case .elements:
      do throws(AnswerError) {
        let response = try OverpassAnswer.decode(kept.bytes, options: options) { progress in
          self.told.elements = progress.elements
          self.tell()
          return !self.cancellation.isCancelled
        }
        return response.completeness == .partial ? nil : .elements(response)
      } catch {
        return nil
      }
    case .bytes:
      do throws(DecodeError) {
        return .bytes(
          try OverpassAnswer.decompressed(Array(kept.bytes), limit: options.maximumBytes))
      } catch {
        return nil
      }
    }
  }
}

extension FetchedContent {
  fileprivate var elementCount: Int {
    switch self {
    case .elements(let response): response.dataset.count
    case .bytes: 0
    }
  }
}
