// The client: it does what sessions decide, with a transport and a clock.

import OSMModel
import OverpassDecoding
import OverpassQuery

/// Runs queries at Overpass servers.
///
/// ```swift
/// let client = try OverpassClient(application: Application("my-app/1.0 (me@example.org)"))
/// let result = try client.fetch(QueryRequest("[out:json];node(1);out;"))
/// print(result.response.dataset.nodes.count, result.endpoint.label)
/// ```
/// Queries at the same server are sent one after the other, in the whole process. A client may be used
/// by several threads at once, and keeps connections open between queries.
public final class OverpassClient: Sendable {
  /// How a client behaves.
  public struct Configuration: Sendable {
    public var application: Application
    /// Asked in this order; the next one only after the one before was overloaded, out of order or out
    /// of reach, never to get around a limit.
    public var endpoints: [Endpoint]
    public var retry = RetryPolicy()
    /// Sent with every request to the endpoints: credentials, for example.
    public var headers: [HTTPHeader] = []
    public var connectTimeoutSeconds = 30.0
    /// Keeps answers on disk; `nil` keeps none.
    public var cache: AnswerCache?
    /// Whether a query that is cancelled while it runs is ended at the server too. That ends all
    /// queries of this address there, also those of other programs.
    public var killsQueriesOnCancel = false
    public var transport: HTTPTransport
    public var clock = ClientClock.system
    public var turns = HostTurns.shared
    /// Gives numbers from 0 up to 1 that spread the waits of many clients.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// - Parameters:
    ///   - endpoints: the main server alone by default.
    ///   - transport: libcurl by default, opened when it is first needed.
    public init(
      application: Application, endpoints: [Endpoint] = [Endpoint(WellKnownEndpoint.all[0])],
      transport: HTTPTransport = .curl()
    ) {
      self.application = application
      self.endpoints = endpoints
      self.transport = transport
    }
  }

  public let configuration: Configuration
  let shared = SharedFetches()

  /// - Throws: ``ClientError``.
  public init(_ configuration: Configuration) throws(ClientError) {
    guard !configuration.endpoints.isEmpty else {
      throw ClientError(.endpoint, "there is no server to ask")
    }
    try configuration.retry.check()
    for header in configuration.headers { try header.check() }
    guard configuration.connectTimeoutSeconds > 0 else {
      throw ClientError(.setting, "connecting needs some time")
    }
    self.configuration = configuration
  }

  /// A client that asks the main server.
  /// - Throws: ``ClientError``.
  public convenience init(application: Application) throws(ClientError) {
    try self.init(Configuration(application: application))
  }

  /// Runs a query and decodes its answer while it comes.
  ///
  /// An answer to which the server added an error (out of time, out of memory) is an error; the data
  /// that it holds is then ``FetchError/partial``, or the result where `allowTruncated` is set.
  /// - Parameters:
  ///   - options: limits for the answer.
  ///   - cancellation: ends the call from another thread.
  ///   - progress: told how far the query has come; see ``FetchProgress/Handler``.
  /// - Throws: ``FetchError``.
  public func fetch(
    _ request: QueryRequest, options: DecodeOptions = DecodeOptions(),
    cancellation: Cancellation = Cancellation(), progress: FetchProgress.Handler? = nil
  ) throws(FetchError) -> FetchResult<Response> {
    guard request.givesElements else {
      throw FetchError(
        .client(
          ClientError(.query, "the query prints no elements but a table or a page: fetch its bytes")
        ))
    }
    let result = try run(request, .elements, options, cancellation, progress)
    guard case .elements(let response) = result.content else { throw FetchError(.cancelled) }
    return result.with(response)
  }

  /// Runs a query and gives the body of its answer, decompressed: a CSV table, a page, or elements that
  /// are to be kept as text.
  /// - Throws: ``FetchError``.
  public func fetchBytes(
    _ request: QueryRequest, options: DecodeOptions = DecodeOptions(),
    cancellation: Cancellation = Cancellation(), progress: FetchProgress.Handler? = nil
  ) throws(FetchError) -> FetchResult<[UInt8]> {
    let form: QueryReply.Form =
      switch request.query?.settings.output {
      case .custom, .popup: .bytes(isPage: true)
      default: .bytes(isPage: false)
      }
    let result = try run(request, form, options, cancellation, progress)
    guard case .bytes(let bytes) = result.content else { throw FetchError(.cancelled) }
    return result.with(bytes)
  }

  private func run(
    _ request: QueryRequest, _ form: QueryReply.Form, _ options: DecodeOptions,
    _ cancellation: Cancellation, _ progress: FetchProgress.Handler?
  ) throws(FetchError) -> FetchResult<FetchedContent> {
    let run = FetchRun(self, request, form, options, cancellation, progress)
    let key = SharedFetches.Key(
      identity: request.identity, endpoints: configuration.endpoints, form: form,
      limits: [
        options.maximumBytes, options.maximumElements, options.maximumTextBytes,
        options.maximumDepth, options.strictText ? 1 : 0, options.allowTruncated ? 1 : 0,
      ])
    return try shared.run(key, request.allowedWork, cancellation, tick: run.tellSameQuery) {
      do throws(FetchError) {
        return .success(try run.fetch())
      } catch {
        return .failure(error)
      }
    }.get()
  }
}

extension HTTPHeader {
  /// - Throws: ``ClientError`` for what would break the request, or what the client sets itself.
  func check() throws(ClientError) {
    let separators = Array("()<>@,;:\\\"/[]?={} \t".utf8)
    guard !name.isEmpty,
      name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !separators.contains($0) })
    else { throw ClientError(.setting, "\"\(name)\" is no name of a header") }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw ClientError(.setting, "the header \(name) has control characters in its value")
    }
    let own = [
      "user-agent", "content-type", "content-length", "transfer-encoding", "host", "expect",
      "accept-encoding", "connection",
    ]
    guard !own.contains(name.lowercased()) else {
      throw ClientError(.setting, "the client itself sets the header \(name)")
    }
  }
}
