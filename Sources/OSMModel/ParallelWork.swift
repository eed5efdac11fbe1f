// Work on independent parts of a range, spread over cores.

/// Calls `body` with parts of `0..<count` that together cover it, at the same time on up to four
/// threads, and returns when all are done. Small ranges are done on the calling thread.
///
/// - Parameter share: how many numbers at least are worth a thread.
public func inParallel(
  _ count: Int, share: Int, _ body: @escaping @Sendable (Range<Int>) -> Void
) {
  let cores = min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 4)
  let threads = min(cores, count / max(share, 1))
  guard threads > 1 else {
    if count > 0 { body(0..<count) }
    return
  }
  func part(_ number: Int) -> Range<Int> {
    count / threads * number..<(number == threads - 1 ? count : count / threads * (number + 1))
  }
  var started: [pthread_t] = []
  for number in 1..<threads {
    let range = part(number)
    if let thread = startThread({ body(range) }) { started.append(thread) } else { body(range) }
  }
  body(part(0))
  for thread in started { pthread_join(thread, nil) }
}

/// Starts a thread, to be joined; `nil` when none is to be had.
private func startThread(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
  let context = Unmanaged.passRetained(ThreadBody(run))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let status = pthread_create(
    &thread, nil,
    { context in
      #if canImport(Darwin)
        let raw = context
      #else
        guard let raw = context else { return nil }
      #endif
      Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  guard status == 0 else {
    context.release()
    return nil
  }
  return thread
}

/// What a thread does, as an object that C can carry.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
