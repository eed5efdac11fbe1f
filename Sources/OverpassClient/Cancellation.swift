// Stopping work from another thread.

/// A wish to stop, which any thread may express and which work looks at.
///
/// One cancellation may be given to several pieces of work; it cannot be taken back.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var handlers: [Int: @Sendable () -> Void] = [:]
    var nextHandler = 0
  }

  private let state = Monitor(State())

  public init() {}

  public var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Asks for the end, and interrupts what blocks. Further calls do nothing.
  public func cancel() {
    let handlers = state.update { state in
      state.isCancelled = true
      defer { state.handlers = [:] }
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler() }
  }

  /// Runs `body`; when this is cancelled meanwhile, `handler` is called on the thread that does so, or
  /// at once when it is cancelled already. The handler may still run when this returns, so it must
  /// keep alive what it uses.
  public func onCancel<Result, Failure: Error>(
    _ handler: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let number = state.withLock { state -> Int? in
      guard !state.isCancelled else { return nil }
      state.nextHandler += 1
      state.handlers[state.nextHandler] = handler
      return state.nextHandler
    }
    guard let number else {
      handler()
      return try body()
    }
    defer { state.withLock { state in state.handlers[number] = nil } }
    return try body()
  }

  /// Waits for some time, or until somebody cancels.
  public func wait(seconds: Double) {
    _ = state.wait(seconds: seconds) { $0.isCancelled ? true : nil }
  }
}
