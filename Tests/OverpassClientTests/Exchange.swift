// Sending one request for a test, and what came of it.

import OSMModel

@testable import OverpassClient

/// Sends what goes to this machine there, whatever proxies the environment names.
let noProxy: Void = {
  setenv("no_proxy", "*", 1)
}()

/// What a transport handed over.
struct Exchange {
  var heads: [HTTPHead] = []
  var body: [UInt8] = []
  var ticks = 0
  var error: TransportError?

  private init() {}

  /// Sends a request and takes what comes for as long as the functions return true.
  /// - Parameter takesBody: is given the length of the body so far.
  init(
    _ transport: HTTPTransport, _ request: HTTPRequest,
    cancellation: Cancellation = Cancellation(), tick: @escaping () -> Void = {},
    head takesHead: @escaping () -> Bool = { true },
    body takesBody: @escaping (Int) -> Bool = { _ in true }
  ) {
    var record = Self()
    let receiver = HTTPReceiver(
      cancellation: cancellation,
      tick: {
        record.ticks += 1
        tick()
      },
      head: { head in
        record.heads.append(head)
        return takesHead()
      },
      body: { bytes in
        record.body += Array(bytes)
        return takesBody(record.body.count)
      })
    do throws(TransportError) { try transport.perform(request, receiver) } catch {
      record.error = error
    }
    self = record
  }
}
