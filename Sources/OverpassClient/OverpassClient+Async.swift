// The client for Swift's concurrency: calls run on a thread of their own, and end with their task.

import OSMModel
import OverpassDecoding
import OverpassQuery

extension OverpassClient {
  /// Runs a query and decodes its answer, without blocking the caller's thread. Cancelling the task
  /// cancels the query.
  /// - Parameter progress: called on another thread; see ``FetchProgress/Handler``.
  /// - Throws: ``FetchError``.
  public func fetch(
    _ request: QueryRequest, options: DecodeOptions = DecodeOptions(),
    progress: (@Sendable (FetchProgress) -> Bool)? = nil
  ) async throws(FetchError) -> FetchResult<Response> {
    try await onThread { cancellation throws(FetchError) in
      try self.fetch(request, options: options, cancellation: cancellation, progress: progress)
    }
  }

  /// Runs a query and gives the body of its answer, without blocking the caller's thread.
  /// - Throws: ``FetchError``.
  public func fetchBytes(
    _ request: QueryRequest, options: DecodeOptions = DecodeOptions(),
    progress: (@Sendable (FetchProgress) -> Bool)? = nil
  ) async throws(FetchError) -> FetchResult<[UInt8]> {
    try await onThread { cancellation throws(FetchError) in
      try self.fetchBytes(request, options: options, cancellation: cancellation, progress: progress)
    }
  }

  /// Runs a query for a box tile by tile, without blocking the caller's thread.
  /// - Throws: ``FetchError``.
  public func fetchTiled(
    _ query: Query, box: BoundingBox? = nil, limits: TileLimits = TileLimits(),
    options: DecodeOptions = DecodeOptions(),
    progress: (@Sendable (FetchProgress) -> Bool)? = nil
  ) async throws(FetchError) -> TiledResult {
    try await onThread { cancellation throws(FetchError) in
      try self.fetchTiled(
        query, box: box, limits: limits, options: options, cancellation: cancellation,
        progress: progress)
    }
  }

  /// What a server says about the slots of this address, without blocking the caller's thread.
  /// - Throws: ``FetchError``.
  public func status(of endpoint: Endpoint? = nil) async throws(FetchError) -> ServerStatus {
    try await onThread { cancellation throws(FetchError) in
      try self.status(of: endpoint, cancellation: cancellation)
    }
  }

  /// Waiting for a server would block a thread of Swift's pool, which has few.
  private func onThread<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws(FetchError) -> Value
  ) async throws(FetchError) -> Value {
    let cancellation = Cancellation()
    let result: Result<Value, FetchError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = WorkerThread {
          do throws(FetchError) {
            continuation.resume(returning: .success(try work(cancellation)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
        guard let thread else {
          let error = TransportError(.other, "the system gives no thread")
          return continuation.resume(returning: .failure(FetchError(.transport(error))))
        }
        thread.detach()
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}
