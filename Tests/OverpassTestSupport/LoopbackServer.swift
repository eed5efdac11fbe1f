// A server on the loopback interface that says what a test tells it to, byte for byte.

import OSMModel
import Synchronization

/// Accepts connections on a port of 127.0.0.1; a function of the test speaks on each, in a thread of
/// its own.
public final class LoopbackServer: Sendable {
  private struct State {
    var connections: [LoopbackConnection] = []
    var threads: [WorkerThread] = []
    var isStopped = false
  }

  public let port: UInt16
  private let listener: Int32
  private let speak: @Sendable (LoopbackConnection) -> Void
  private let state = Mutex(State())

  private init(
    listener: Int32, port: UInt16, speak: @escaping @Sendable (LoopbackConnection) -> Void
  ) {
    self.listener = listener
    self.port = port
    self.speak = speak
  }

  /// Runs `body` beside a server, which is stopped at its end.
  /// - Parameter speak: talks on one connection; the connection is closed when it returns.
  public static func serve<Result>(
    _ speak: @escaping @Sendable (LoopbackConnection) -> Void,
    _ body: (LoopbackServer) throws -> Result
  ) throws -> Result {
    let (listener, port) = try listen()
    let server = LoopbackServer(listener: listener, port: port, speak: speak)
    let acceptor = WorkerThread { server.accept() }
    defer {
      server.stop()
      acceptor?.join()
      close(listener)
    }
    return try body(server)
  }

  /// A port where nobody listens.
  public static func unusedPort() throws -> UInt16 {
    let (listener, port) = try listen()
    close(listener)
    return port
  }

  public func url(_ path: String = "/api/interpreter") -> String {
    "http://127.0.0.1:\(port)\(path)"
  }

  /// How many connections were accepted so far.
  public var connectionCount: Int { state.withLock { $0.connections.count } }

  /// What was read so far, connection by connection.
  public var requests: [LoopbackRequest] {
    state.withLock { $0.connections }.flatMap { $0.requests }
  }

  private func accept() {
    while true {
      let socket = Platform.accept(listener)
      guard socket >= 0 else { return }
      let connection = LoopbackConnection(socket)
      let isStopped = state.withLock { state in
        state.connections.append(connection)
        let thread = WorkerThread { [speak] in
          speak(connection)
          connection.close()
        }
        if let thread { state.threads.append(thread) } else { connection.close() }
        return state.isStopped
      }
      if isStopped { connection.end() }
    }
  }

  private func stop() {
    state.withLock { state in
      state.isStopped = true
      for connection in state.connections { connection.end() }
    }
    // Ends `accept` as well.
    shutdown(listener, Int32(SHUT_RDWR))
    while let thread = state.withLock({ $0.threads.popLast() }) { thread.join() }
  }

  private struct NoServer: Error {}

  private static func listen() throws -> (socket: Int32, port: UInt16) {
    let listener = Platform.tcpSocket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && Platform.listen(listener)
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isBound else {
      close(listener)
      throw NoServer()
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }
}

/// One connection, from the server's side.
public final class LoopbackConnection: Sendable {
  private let socket: Mutex<Int32>
  private let unread = Mutex<[UInt8]>([])
  private let read = Mutex<[LoopbackRequest]>([])

  fileprivate init(_ socket: Int32) {
    // No test may hang for ever.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    self.socket = Mutex(socket)
  }

  fileprivate var requests: [LoopbackRequest] { read.withLock { $0 } }

  /// Reads a head and the body it announces; `nil` at the end of the connection.
  public func readRequest() -> LoopbackRequest? {
    var bytes = unread.withLock { unread in
      defer { unread = [] }
      return unread
    }
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let headEnd = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) {
        let head = String(decoding: bytes[..<headEnd], as: UTF8.self)
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        let length =
          lines.first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
        let bodyStart = headEnd + end.count
        while bytes.count < bodyStart + length {
          guard let more = receive() else { return nil }
          bytes += more
        }
        unread.withLock { $0 = Array(bytes[(bodyStart + length)...]) }
        let request = LoopbackRequest(
          line: lines[0], headers: Array(lines.dropFirst()),
          body: Array(bytes[bodyStart..<(bodyStart + length)]))
        read.withLock { $0.append(request) }
        return request
      }
      guard let more = receive() else { return nil }
      bytes += more
    }
  }

  /// Sends all; false when the client is gone.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Platform.send(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Waits until the client closes the connection, or the server is stopped.
  public func waitForEnd() { while receive() != nil {} }

  /// Lets some time go by between two portions.
  public func pause(seconds: Double) {
    var span = timespec(tv_sec: 0, tv_nsec: Int(seconds * 1e9))
    nanosleep(&span, nil)
  }

  /// Breaks the connection: the client gets a reset instead of an end.
  public func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  public func close() {
    socket.withLock { socket in
      if socket >= 0 { Platform.close(socket) }
      socket = -1
    }
  }

  /// Wakes whoever reads or writes; the one who speaks closes.
  fileprivate func end() {
    socket.withLock { socket in
      if socket >= 0 { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  private var descriptor: Int32 { socket.withLock { $0 } }

  private func receive() -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &block, block.count, 0)
    return count > 0 ? Array(block[..<count]) : nil
  }
}

/// What a client sent.
public struct LoopbackRequest: Sendable {
  /// Such as `POST /api/interpreter HTTP/1.1`.
  public let line: String
  public let headers: [String]
  public let body: [UInt8]
}

/// Where systems differ, or names would be those of methods.
private enum Platform {
  static func tcpSocket() -> Int32 {
    #if canImport(Glibc)
      socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  static func accept(_ listener: Int32) -> Int32 {
    while true {
      #if canImport(Glibc)
        let socket = Glibc.accept(listener, nil, nil)
      #else
        let socket = Darwin.accept(listener, nil, nil)
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, 4)
      #endif
      if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
      return socket
    }
  }

  static func listen(_ socket: Int32) -> Bool {
    #if canImport(Glibc)
      Glibc.listen(socket, 64) == 0
    #else
      Darwin.listen(socket, 64) == 0
    #endif
  }

  static func close(_ socket: Int32) {
    #if canImport(Glibc)
      Glibc.close(socket)
    #else
      Darwin.close(socket)
    #endif
  }

  static func send(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.send(socket, bytes, count, Int32(MSG_NOSIGNAL))
    #else
      Darwin.send(socket, bytes, count, 0)
    #endif
  }
}
