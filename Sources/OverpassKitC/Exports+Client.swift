// Exports: clients and the servers they know.

import COverpassKit
import OverpassKit

/// The known servers, with the texts C borrows from them; they stay for ever.
private let knownEndpoints = WellKnownEndpoint.all.map { known in
  (
    name: StableText(known.name), url: StableText(known.url),
    coverage: StableText(known.coverage), provider: StableText(known.provider)
  )
}

@_cdecl("opk_endpoint_count") @implementation
public func opk_endpoint_count() -> Int { knownEndpoints.count }

@_cdecl("opk_endpoint_get") @implementation
public func opk_endpoint_get(_ index: Int, _ out: UnsafeMutablePointer<opk_endpoint>!)
  -> opk_status
{
  guard let out = unsafe out, knownEndpoints.indices.contains(index) else {
    return opk_status(OPK_ERR_MISUSE)
  }
  let known = knownEndpoints[index]
  var result = unsafe opk_endpoint()
  unsafe result.name = known.name.borrowed
  unsafe result.url = known.url.borrowed
  unsafe result.coverage = known.coverage.borrowed
  unsafe result.provider = known.provider.borrowed
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

/// A client that C holds.
final class ClientHandle: Sendable {
  let client: OverpassClient

  init(_ client: OverpassClient) { self.client = client }
}

extension OverpassClient.Configuration {
  init(_ given: opk_client_options) throws(BoundaryError) {
    // First, so that it is released whatever else is wrong.
    let transport: HTTPTransport
    if let own = unsafe given.transport {
      transport = try unsafe HostTransport(own).transport
    } else {
      var options = CurlOptions()
      options.certificateFile = unsafe given.ca_file.map { unsafe String(cString: $0) }
      transport = .curl(options)
    }
    guard unsafe given.flags & ~UInt32(OPK_CLIENT_KILL_ON_CANCEL) == 0 else {
      throw .misuse("unknown flags for a client")
    }
    do throws(ClientError) {
      let name = unsafe given.application.map { unsafe String(cString: $0) } ?? ""
      self.init(application: try Application(name), transport: transport)
      let names = try unsafe texts(given.endpoints, given.endpoint_count)
      if !names.isEmpty {
        endpoints = []
        for name in names { endpoints.append(try Endpoint(name)) }
      }
      if let folder = unsafe given.cache_folder {
        let size = unsafe given.cache_max_bytes
        cache = try unsafe AnswerCache(
          folder: String(cString: folder), maximumAgeSeconds: given.cache_max_age_s,
          maximumBytes: size == 0 ? 1 << 30 : Int(clamping: size))
      }
    } catch {
      throw BoundaryError(error)
    }
    headers = try unsafe readHeaders(given.headers, given.header_count)
    killsQueriesOnCancel = unsafe given.flags != 0
    if unsafe given.max_attempts > 0 { retry.maximumAttempts = unsafe Int(given.max_attempts) }
    if unsafe given.busy_wait_s != 0 { retry.busyWaitSeconds = unsafe given.busy_wait_s }
    if unsafe given.max_wait_s != 0 { retry.maximumWaitSeconds = unsafe given.max_wait_s }
    if unsafe given.connect_timeout_s != 0 {
      connectTimeoutSeconds = unsafe given.connect_timeout_s
    }
  }
}

private func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int)
  throws(ClientError) -> [String]
{
  guard count > 0 else { return [] }
  guard let list = unsafe list else { throw ClientError(.setting, "endpoints is NULL") }
  guard count <= 10_000 else { throw ClientError(.setting, "too many endpoints") }
  var result: [String] = []
  for index in 0..<count {
    guard let text = unsafe list[index] else {
      throw ClientError(.setting, "an endpoint is NULL")
    }
    unsafe result.append(String(cString: text))
  }
  return result
}

@_cdecl("opk_client_new") @implementation
public func opk_client_new(
  _ opt: UnsafePointer<opk_client_options>!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    unsafe out?.pointee = nil
    guard unsafe opt != nil else {
      throw BoundaryError(
        OPK_ERR_CLIENT_APPLICATION, "a client needs options, because it has to say who asks")
    }
    let configuration = try unsafe OverpassClient.Configuration(
      readOptions(opt, over: opk_client_options()))
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    do throws(ClientError) {
      unsafe out.pointee = unsafe makeHandle(ClientHandle(try OverpassClient(configuration)))
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_client_free") @implementation
public func opk_client_free(_ client: OpaquePointer!) {
  unsafe freeHandle(client, ClientHandle.self)
}

/// The server that a call is about; `nil` for the client's first.
private func endpoint(_ text: UnsafePointer<CChar>?) throws(BoundaryError) -> Endpoint? {
  guard let text = unsafe text else { return nil }
  do throws(ClientError) {
    return try unsafe Endpoint(String(cString: text))
  } catch {
    throw BoundaryError(error)
  }
}

@_cdecl("opk_client_status") @implementation
public func opk_client_status(
  _ client: OpaquePointer!, _ endpoint: UnsafePointer<CChar>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let handle = unsafe object(client, ClientHandle.self) else {
      throw .misuse("client is NULL")
    }
    let server = try unsafe OverpassKitC.endpoint(endpoint)
    do throws(FetchError) {
      unsafe out.pointee = unsafe makeHandle(SlotsHandle(try handle.client.status(of: server)))
    } catch {
      throw BoundaryError(error.failure)
    }
  }
}

@_cdecl("opk_client_kill_queries") @implementation
public func opk_client_kill_queries(
  _ client: OpaquePointer!, _ endpoint: UnsafePointer<CChar>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let handle = unsafe object(client, ClientHandle.self) else {
      throw .misuse("client is NULL")
    }
    let server = try unsafe OverpassKitC.endpoint(endpoint)
    do throws(FetchError) {
      try handle.client.killQueries(at: server)
    } catch {
      throw BoundaryError(error.failure)
    }
  }
}
