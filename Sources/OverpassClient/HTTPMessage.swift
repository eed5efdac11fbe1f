// Requests and the heads of replies, as a transport takes and gives them. Source: RFC 9110.

/// One line of a head.
public struct HTTPHeader: Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What a transport is to send.
public struct HTTPRequest: Sendable, Hashable {
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
  }

  public var method: Method
  /// Complete, with `http` or `https`.
  public var url: String
  public var headers: [HTTPHeader]
  public var body: [UInt8]
  /// How long connecting may take.
  public var connectTimeoutSeconds: Double
  /// How long nothing may come once the request is sent: a query may run that long before its
  /// first byte.
  public var idleTimeoutSeconds: Double

  public init(
    _ method: Method, _ url: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
    connectTimeoutSeconds: Double = 30, idleTimeoutSeconds: Double = 60
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.connectTimeoutSeconds = connectTimeoutSeconds
    self.idleTimeoutSeconds = idleTimeoutSeconds
  }
}

/// The head of a reply.
public struct HTTPHead: Sendable, Hashable {
  public var status: Int
  public var headers: [HTTPHeader]

  public init(status: Int, headers: [HTTPHeader] = []) {
    self.status = status
    self.headers = headers
  }

  /// The first value of a header, whatever the case of its name.
  public func value(of name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// The number of bytes that are to come; `nil` where the server does not tell.
  var contentLength: Int? {
    value(of: "Content-Length").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}
