// Questions about the caller's slots, and the end of its queries.

import OverpassDecoding

extension OverpassClient {
  /// What a server says about the slots of this address. It is for people: before a query it would only
  /// double the load, because what it tells may be over when the query comes.
  /// - Parameter endpoint: the first of the client's by default.
  /// - Throws: ``FetchError``.
  public func status(
    of endpoint: Endpoint? = nil, cancellation: Cancellation = Cancellation()
  ) throws(FetchError) -> ServerStatus {
    let endpoint = endpoint ?? configuration.endpoints[0]
    let request = configuration.pageRequest(endpoint.statusURL, endpoint, idleTimeoutSeconds: 30)
    let result = configuration.status(request, cancellation) {}
    guard !cancellation.isCancelled else { throw FetchError(.cancelled) }
    do throws(FetchFailure) {
      return try result.get()
    } catch {
      throw FetchError(error)
    }
  }

  /// Ends all queries of this address at a server.
  /// - Throws: ``FetchError``.
  public func killQueries(
    at endpoint: Endpoint? = nil, cancellation: Cancellation = Cancellation()
  ) throws(FetchError) {
    let endpoint = endpoint ?? configuration.endpoints[0]
    let result = configuration.kill(at: endpoint, cancellation)
    guard !cancellation.isCancelled else { throw FetchError(.cancelled) }
    do throws(FetchFailure) {
      _ = try result.get()
    } catch {
      throw FetchError(error)
    }
  }
}

extension OverpassClient.Configuration {
  /// Gets and reads a page about slots.
  func status(
    _ request: HTTPRequest, _ cancellation: Cancellation, tick: @escaping () -> Void
  ) -> Result<ServerStatus, FetchFailure> {
    page(request, cancellation, tick).flatMap { page in
      do throws(DecodeError) {
        return .success(try ServerStatus(String(decoding: page, as: UTF8.self)))
      } catch {
        return .failure(.decode(error))
      }
    }
  }

  @discardableResult
  func kill(at endpoint: Endpoint, _ cancellation: Cancellation = Cancellation()) -> Result<
    [UInt8], FetchFailure
  > {
    let request = pageRequest(endpoint.killURL, endpoint, idleTimeoutSeconds: 5)
    return page(request, cancellation) {}
  }

  func pageRequest(_ url: String, _ endpoint: Endpoint, idleTimeoutSeconds: Double) -> HTTPRequest {
    // Credentials are for the servers they were given for.
    let isOwn = endpoints.contains { $0.origin == endpoint.origin }
    return HTTPRequest(
      .get, url,
      headers: [
        HTTPHeader("User-Agent", application.userAgent), HTTPHeader("Accept", "*/*"),
        HTTPHeader("Accept-Encoding", "gzip"),
      ] + (isOwn ? headers : []),
      connectTimeoutSeconds: min(connectTimeoutSeconds, idleTimeoutSeconds),
      idleTimeoutSeconds: idleTimeoutSeconds)
  }

  /// Gets a small page.
  private func page(
    _ request: HTTPRequest, _ cancellation: Cancellation, _ tick: @escaping () -> Void
  ) -> Result<[UInt8], FetchFailure> {
    var head: HTTPHead?
    var body: [UInt8] = []
    let receiver = HTTPReceiver(cancellation: cancellation, tick: tick) {
      head = $0
      return true
    } body: { bytes in
      body += bytes.prefix(max((1 << 20) - body.count, 0))
      return body.count < 1 << 20
    }
    do throws(TransportError) {
      try transport.perform(request, receiver)
    } catch {
      return .failure(.transport(error))
    }
    guard let head else {
      let error = TransportError(.interrupted, "the connection ended without a reply")
      return .failure(.transport(error))
    }
    guard head.status == 200 else {
      let error = body.withUnsafeBufferPointer { body in
        ServerError.classify(
          status: head.status, contentType: head.value(of: "Content-Type"), body: body)
      }
      return .failure(.server(error ?? ServerError(.unexpectedStatus, status: head.status)))
    }
    do throws(DecodeError) {
      return .success(try OverpassAnswer.decompressed(body, limit: 1 << 22))
    } catch {
      return .failure(.decode(error))
    }
  }
}
