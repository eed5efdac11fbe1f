// The time as the client sees it; tests hand in one that does not sleep.

import OSMModel

/// What time it is, and how to let it pass.
public struct ClientClock: Sendable {
  /// Seconds of a clock that nobody sets.
  let now: @Sendable () -> Double
  /// Seconds since 1970.
  let unixTime: @Sendable () -> Double
  /// Waits some seconds, or until somebody cancels.
  let wait: @Sendable (Double, Cancellation) -> Void

  public init(
    now: @escaping @Sendable () -> Double, unixTime: @escaping @Sendable () -> Double,
    wait: @escaping @Sendable (Double, Cancellation) -> Void
  ) {
    self.now = now
    self.unixTime = unixTime
    self.wait = wait
  }

  public static let system = ClientClock(
    now: monotonicSeconds,
    unixTime: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    },
    wait: { seconds, cancellation in cancellation.wait(seconds: seconds) })
}
