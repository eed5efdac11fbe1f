// A lock with a condition to wait for: what turns, waits and cancellation are made of.

import OSMModel

/// A state that several threads share, and that they can wait on.
final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      // The wall clock may be set while somebody waits.
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Changes the state and wakes all who wait.
  func update<Result>(_ body: (inout State) -> Result) -> Result {
    withLock {
      defer { pthread_cond_broadcast(condition) }
      return body(&$0)
    }
  }

  /// Waits until `body` gives a value, which it is asked for after each update; `nil` when the time is
  /// over first.
  func wait<Result>(seconds: Double, for body: (inout State) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let end = monotonicSeconds() + min(max(seconds, 0), 1e9)
    while true {
      if let result = body(&state) { return result }
      let left = end - monotonicSeconds()
      guard left > 0 else { return nil }
      #if canImport(Darwin)
        var span = timespec(seconds: left)
        pthread_cond_timedwait_relative_np(condition, mutex, &span)
      #else
        var moment = timespec(seconds: end)
        pthread_cond_timedwait(condition, mutex, &moment)
      #endif
    }
  }
}

/// Seconds of a clock that nobody sets.
func monotonicSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

extension timespec {
  /// - Parameter seconds: positive and below 1e10.
  fileprivate init(seconds: Double) {
    let whole = seconds.rounded(.down)
    self.init(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
  }
}
