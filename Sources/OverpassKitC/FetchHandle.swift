// A query on its way, as C holds it.

import COverpassKit
import OverpassKit
import Synchronization

/// One query: prepared, run once, then read.
final class FetchHandle: Sendable {
  /// What came of it.
  struct Outcome: Sendable {
    var response: Response?
    var body: [UInt8]?
    var endpoint: StableText?
    var isFromCache = false
    var attempts: [AttemptTexts] = []
    var tiles: [FetchedTile] = []
    var failure: FetchFailure?
  }

  /// An attempt, with the texts C borrows from it.
  struct AttemptTexts: Sendable {
    let status: Int
    let seconds: Double
    let endpoint: StableText
    let url: StableText
    let message: StableText?

    init(_ attempt: FetchAttempt) {
      status = attempt.failure.map { BoundaryError($0).status } ?? OPK_OK
      seconds = attempt.seconds
      endpoint = StableText(attempt.endpoint.label)
      url = StableText(attempt.url)
      message = attempt.failure.map { StableText($0.text) }
    }
  }

  private enum State {
    case prepared
    case running
    case done(Outcome)
  }

  private let client: OverpassClient
  private let call: FetchCall

  var form: FetchCall.Form { call.form }
  private let cancellation = Cancellation()
  private let state = Mutex(State.prepared)

  init(_ client: OverpassClient, _ call: FetchCall) {
    self.client = client
    self.call = call
  }

  /// `nil` before the end.
  var outcome: Outcome? {
    state.withLock { state in
      guard case .done(let outcome) = state else { return nil }
      return outcome
    }
  }

  func cancel() { cancellation.cancel() }

  func run() throws(BoundaryError) {
    let mayRun = state.withLock { state -> Bool in
      guard case .prepared = state else { return false }
      state = .running
      return true
    }
    guard mayRun else { throw .misuse("the query was run already") }
    var outcome = Outcome()
    do throws(FetchError) {
      try fetch(&outcome)
    } catch {
      outcome.failure = error.failure
      outcome.response = error.partial
      outcome.attempts = error.attempts.map(AttemptTexts.init)
    }
    state.withLock { $0 = .done(outcome) }
    if let failure = outcome.failure { throw BoundaryError(failure) }
  }

  private func fetch(_ outcome: inout Outcome) throws(FetchError) {
    guard !cancellation.isCancelled else { throw FetchError(.cancelled) }
    switch call.form {
    case .response(let request):
      let result = try client.fetch(
        request, options: call.options, cancellation: cancellation, progress: call.progress)
      outcome.response = result.content
      outcome.note(result)
    case .bytes(let request):
      let result = try client.fetchBytes(
        request, options: call.options, cancellation: cancellation, progress: call.progress)
      outcome.body = result.content
      outcome.note(result)
    case .tiles(let query, let box, let limits):
      let result = try client.fetchTiled(
        query, box: box, limits: limits, options: call.options, cancellation: cancellation,
        progress: call.progress)
      outcome.response = result.response
      outcome.tiles = result.tiles
      outcome.attempts = result.attempts.map(AttemptTexts.init)
      outcome.endpoint = StableText(result.endpoint.url)
      outcome.isFromCache = result.isFromCache
    }
  }
}

extension FetchHandle.Outcome {
  fileprivate mutating func note<Content>(_ result: FetchResult<Content>) {
    endpoint = StableText(result.endpoint.url)
    isFromCache = result.isFromCache
    attempts = result.attempts.map(FetchHandle.AttemptTexts.init)
  }
}

/// What a caller asks for.
struct FetchCall: Sendable {
  enum Form: Sendable {
    case response(QueryRequest)
    case bytes(QueryRequest)
    case tiles(Query, BoundingBox?, TileLimits)
  }

  let form: Form
  let options: DecodeOptions
  let progress: (@Sendable (FetchProgress) -> Bool)?

  init(_ text: String, _ given: opk_fetch_options) throws(BoundaryError) {
    let flags = unsafe given.flags
    let known = UInt32(OPK_FETCH_UNCHECKED | OPK_FETCH_BYTES | OPK_FETCH_TILED)
    guard flags & ~known == 0 else { throw .misuse("unknown flags for a query") }
    func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
    options = try unsafe Decoding(given.decode).options
    progress = unsafe FetchCall.progress(given)
    do throws(FetchFailure) {
      if has(OPK_FETCH_TILED) {
        guard !has(OPK_FETCH_UNCHECKED), !has(OPK_FETCH_BYTES) else {
          throw .client(ClientError(.setting, "tiles need a query that is checked, and elements"))
        }
        form = .tiles(
          try FetchCall.query(text), try unsafe FetchCall.box(given), unsafe TileLimits(given))
        return
      }
      let request =
        has(OPK_FETCH_UNCHECKED)
        ? unsafe QueryRequest(
          unchecked: text,
          timeoutSeconds: given.timeout_s > 0
            ? given.timeout_s : QueryRequest.usualTimeoutSeconds)
        : try FetchCall.request(text)
      form = has(OPK_FETCH_BYTES) ? .bytes(request) : .response(request)
    } catch {
      throw BoundaryError(error)
    }
  }

  private static func request(_ text: String) throws(FetchFailure) -> QueryRequest {
    do throws(QuerySyntaxError) {
      return try QueryRequest(text)
    } catch {
      throw .syntax(error)
    }
  }

  private static func query(_ text: String) throws(FetchFailure) -> Query {
    do throws(QuerySyntaxError) {
      return try Query.parse(text)
    } catch {
      throw .syntax(error)
    }
  }

  private static func box(_ given: opk_fetch_options) throws(FetchFailure) -> BoundingBox? {
    let (south, west) = unsafe (given.south, given.west)
    let (north, east) = unsafe (given.north, given.east)
    if south.isNaN && west.isNaN && north.isNaN && east.isNaN { return nil }
    do throws(QueryError) {
      return try BoundingBox(south: south, west: west, north: north, east: east)
    } catch {
      throw .query(error)
    }
  }

  private static func progress(_ given: opk_fetch_options) -> (
    @Sendable (FetchProgress) -> Bool
  )? {
    guard let function = unsafe given.progress else { return nil }
    let caller = unsafe Caller(function: function, context: given.progress_context)
    return { progress in caller.tell(progress) }
  }

  /// The caller's function; it is called on the thread that runs the query.
  @safe private struct Caller: @unchecked Sendable {
    let function: opk_fetch_progress_fn
    let context: UnsafeMutableRawPointer?

    func tell(_ progress: FetchProgress) -> Bool {
      let endpoint = StableText(progress.endpoint.label)
      let failure = progress.lastFailure.map { StableText($0.text) }
      var told = unsafe opk_fetch_progress()
      unsafe told.struct_size = UInt32(MemoryLayout<opk_fetch_progress>.size)
      unsafe told.phase = UInt32(progress.phase.rawValue)
      unsafe told.wait_reason = UInt32(progress.wait?.reason.rawValue ?? 0)
      unsafe told.attempt = UInt32(clamping: progress.attempt)
      unsafe told.wait_seconds = progress.wait?.seconds ?? 0
      unsafe told.endpoint = endpoint.borrowed
      unsafe told.last_error = failure?.borrowed ?? noText
      unsafe told.bytes = UInt64(clamping: progress.bytes)
      unsafe told.total_bytes = UInt64(clamping: progress.totalBytes ?? 0)
      unsafe told.elements = UInt64(clamping: progress.elements)
      unsafe told.tiles_done = UInt64(clamping: progress.tilesDone)
      unsafe told.tiles_left = UInt64(clamping: progress.tilesLeft)
      defer { withExtendedLifetime((endpoint, failure)) {} }
      return unsafe function(context, &told) == 0
    }
  }
}

extension TileLimits {
  init(_ given: opk_fetch_options) {
    self.init()
    if unsafe given.max_tile_depth > 0 { maximumDepth = unsafe Int(given.max_tile_depth) }
    if unsafe given.max_tiles > 0 { maximumRequests = unsafe Int(given.max_tiles) }
  }
}
