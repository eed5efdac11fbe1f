import OSMModel
import OverpassDecoding
import Synchronization
import Testing

@testable import OverpassClient

/// Runs pieces of work on threads of their own and waits for all.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { number in WorkerThread { work(number) } }
  for thread in threads { thread?.join() }
}

/// Lets threads go on once enough of them wait.
final class Barrier: Sendable {
  private let monitor = Monitor(0)
  func open() { monitor.update { $0 += 1 } }
  func pass() { _ = monitor.wait(seconds: 60) { $0 > 0 ? true : nil } }
}

@Suite struct SharingTests {
  @Test func theSameQueryIsOneRequest() throws {
    let barrier = Barrier()
    let server = FakeServer { _ in barrier.pass() }
    server.script("interpreter", [.answer(oneNode)])
    let client = try server.client()
    let request = try QueryRequest(someQuery)
    let waiting = Atomic<Int>(0)
    let answers = Mutex<[Int]>([])
    onThreads(8) { _ in
      let result = try? client.fetch(request) { progress in
        if progress.wait?.reason == .sameQuery,
          waiting.wrappingAdd(1, ordering: .relaxed).newValue == 7
        {
          barrier.open()
        }
        return true
      }
      answers.withLock { $0.append(result?.response.dataset.nodes.count ?? -1) }
    }
    #expect(answers.withLock { $0 } == Array(repeating: 1, count: 8))
    #expect(server.requests.count == 1)
    // Later ones ask anew.
    _ = try client.fetch(request)
    #expect(server.requests.count == 2)
  }

  @Test func anotherTakesOverWhatWasCancelled() throws {
    let barrier = Barrier()
    let server = FakeServer { _ in barrier.pass() }
    server.script("interpreter", [.answer(oneNode)])
    let client = try server.client()
    let request = try QueryRequest(someQuery)
    let first = Cancellation()
    let started = Barrier()
    let waiting = Atomic<Int>(0)
    let outcomes = Mutex<[Bool]>([])
    onThreads(4) { number in
      if number > 0 { started.pass() }
      let result = try? client.fetch(
        request, cancellation: number == 0 ? first : Cancellation()
      ) { progress in
        if number == 0, progress.phase == .running { started.open() }
        if progress.wait?.reason == .sameQuery,
          waiting.wrappingAdd(1, ordering: .relaxed).newValue == 3
        {
          first.cancel()
          barrier.open()
        }
        return true
      }
      outcomes.withLock { $0.append(result != nil) }
    }
    #expect(outcomes.withLock { $0.filter { $0 }.count } == 3)
    #expect(server.requests.count == 2)
  }

  @Test func failuresAreShared() throws {
    let barrier = Barrier()
    let server = FakeServer { _ in barrier.pass() }
    server.script("interpreter", [.page(400)])
    let client = try server.client()
    let request = try QueryRequest(someQuery)
    let waiting = Atomic<Int>(0)
    let failures = Atomic<Int>(0)
    onThreads(3) { _ in
      do {
        _ = try client.fetch(request) { progress in
          if progress.wait?.reason == .sameQuery,
            waiting.wrappingAdd(1, ordering: .relaxed).newValue == 2
          {
            barrier.open()
          }
          return true
        }
      } catch {
        failures.wrappingAdd(1, ordering: .relaxed)
      }
    }
    #expect(failures.load(ordering: .relaxed) == 3)
    #expect(server.requests.count == 1)
  }

  /// One request at a time per server, of all clients that share turns.
  @Test func clientsTakeTurns() throws {
    let server = FakeServer { _ in usleep(1000) }
    server.script("interpreter", [.answer(oneNode)])
    let turns = HostTurns()
    let answered = Atomic<Int>(0)
    onThreads(8) { number in
      guard let client = try? server.client(change: { $0.turns = turns }) else { return }
      for round in 0..<5 {
        guard let request = try? QueryRequest("node(\(1 + number * 10 + round));out;") else {
          continue
        }
        if (try? client.fetch(request)) != nil { answered.wrappingAdd(1, ordering: .relaxed) }
      }
    }
    #expect(answered.load(ordering: .relaxed) == 40)
    #expect(server.requests.count == 40)
    #expect(server.mostActive == 1)
  }

  @Test func serversDoNotWaitForEachOther() throws {
    let barrier = Barrier()
    let server = FakeServer { request in
      if request.url.contains("a.example") { barrier.pass() }
    }
    server.script("interpreter", [.answer(oneNode)])
    let turns = HostTurns()
    let done = Atomic<Int>(0)
    onThreads(2) { number in
      let host = number == 0 ? "a" : "b"
      guard
        let client = try? server.client(["https://\(host).example"], change: { $0.turns = turns }),
        let request = try? QueryRequest(someQuery)
      else { return }
      if (try? client.fetch(request)) != nil { done.wrappingAdd(1, ordering: .relaxed) }
      if number == 1 { barrier.open() }
    }
    #expect(done.load(ordering: .relaxed) == 2)
  }

  /// The silence that a server wants holds for all who ask it, also when who was told gives up.
  @Test func silenceHoldsForAll() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(429), .answer(oneNode)])
    let turns = HostTurns()
    let first = try server.client { $0.turns = turns }
    #expect(throws: FetchError.self) {
      _ = try first.fetch(try QueryRequest(someQuery)) { progress in
        // Asking for the slots is told with 30 seconds to go, the wait with what is left of them.
        !(progress.wait?.reason == .rateLimit && server.waits.count > 3)
      }
    }
    let before = server.waits.reduce(0, +)
    #expect(before < 30)
    let second = try server.client { $0.turns = turns }
    _ = try second.fetch(try QueryRequest("node(2);out;"))
    #expect(server.waits.reduce(0, +) == 30)
  }

  /// Also when the one that was told sends nothing more, and however the host is written or reached.
  @Test(arguments: ["https://a.example", "http://a.example", "https://c.example"])
  func silenceHoldsForTheNextQuery(_ server: String) throws {
    let fake = FakeServer()
    let moved = [HTTPHeader("Location", "https://a.example/api/interpreter")]
    fake.script("c.example/api/interpreter", [.page(308, headers: moved)])
    fake.script("a.example/api/interpreter", [.page(429), .answer(oneNode)])
    let turns = HostTurns()
    let first = try fake.client([server]) {
      $0.turns = turns
      $0.retry = .never
    }
    #expect(throws: FetchError.self) { _ = try first.fetch(try QueryRequest(someQuery)) }
    #expect(fake.waits.isEmpty)
    let second = try fake.client { $0.turns = turns }
    _ = try second.fetch(try QueryRequest(someQuery))
    #expect(fake.waits.reduce(0, +) == 30)
  }

  @Test func sendsNothingIntoALongSilence() throws {
    let server = FakeServer()
    let long = [HTTPHeader("Retry-After", "86400")]
    server.script("interpreter", [.page(429, headers: long), .answer(oneNode)])
    let client = try server.client()
    for _ in 0..<2 {
      let error = try #require(throws: FetchError.self) {
        _ = try client.fetch(try QueryRequest(someQuery))
      }
      guard case .server(let reason) = error.failure else { throw error }
      #expect(reason.category == .rateLimited)
    }
    #expect(server.urls.filter { $0.hasSuffix("interpreter") }.count == 1)
    #expect(server.waits.isEmpty)
    server.pass(86_400)
    _ = try client.fetch(try QueryRequest(someQuery))
  }

  /// One that runs out of its time says nothing about one that has more.
  @Test(
    arguments: [("[timeout:1]", "[timeout:900]"), ("[maxsize:1000]", "")], [false, true])
  func moreTimeIsAnotherRequest(_ limits: (little: String, much: String), _ takesPartial: Bool)
    throws
  {
    let (isRunning, isWaiting) = (Barrier(), Barrier())
    let server = FakeServer { _ in isWaiting.pass() }
    let remark = #","remark":"runtime error: Query timed out in \"query\" after 1 seconds."}"#
    server.script("interpreter", [.answer(emptyAnswer.dropLast() + remark), .answer(oneNode)])
    let client = try server.client()
    let answers = Mutex<[Int: Int]>([:])
    onThreads(2) { number in
      if number == 1 { isRunning.pass() }
      let text = (number == 0 ? limits.little : limits.much) + "[out:json];node(1);out;"
      guard let request = try? QueryRequest(text) else { return }
      var options = DecodeOptions()
      options.allowTruncated = takesPartial
      let result = try? client.fetch(request, options: options) { progress in
        if progress.phase == .running { isRunning.open() }
        if progress.wait?.reason == .sameQuery { isWaiting.open() }
        return true
      }
      answers.withLock { $0[number] = result?.response.dataset.nodes.count }
    }
    #expect(answers.withLock { $0 } == (takesPartial ? [0: 0, 1: 1] : [1: 1]))
    #expect(server.requests.count == 2)
  }

  /// An outcome is for those who waited, even while one of them still looks away.
  @Test func whoComesLaterAsksAnew() throws {
    let shared = SharedFetches()
    let key = SharedFetches.Key(identity: "x", endpoints: [], form: .elements, limits: [])
    let (isRunning, isWaiting, goesOn) = (Barrier(), Barrier(), Barrier())
    let runs = Atomic<Int>(0)
    let answer: @Sendable () -> SharedFetches.Outcome = {
      runs.wrappingAdd(1, ordering: .relaxed)
      return .failure(FetchError(.client(ClientError(.limit, "x"))))
    }
    onThreads(2) { number in
      if number == 0 {
        _ = shared.run(key, [], Cancellation(), tick: { true }) {
          isRunning.open()
          isWaiting.pass()
          return answer()
        }
        _ = shared.run(key, [], Cancellation(), tick: { true }, answer)
        goesOn.open()
      } else {
        isRunning.pass()
        let looksAway = {
          isWaiting.open()
          goesOn.pass()
          return true
        }
        _ = shared.run(key, [], Cancellation(), tick: looksAway, answer)
      }
    }
    #expect(runs.load(ordering: .relaxed) == 2)
  }

  @Test func givingUpATurnLetsOthersOn() throws {
    let turns = HostTurns()
    let first = turns.take("x", Cancellation()) { true }
    #expect(first != nil)
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(turns.take("x", cancellation) { true } == nil)
    #expect(turns.take("x", Cancellation()) { false } == nil)
    #expect(turns.take("y", Cancellation()) { false } != nil)
    withExtendedLifetime(first) {}
  }

  /// 200 queries over 8 threads at a server that fails every third request.
  @Test func aBadServerUnderLoad() throws {
    let counter = Atomic<Int>(0)
    let server = FakeServer()
    let transport = HTTPTransport { request, receiver throws(TransportError) in
      let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
      let failures: [FakeServer.Reply] = [.page(504), .failure(.interrupted), .page(500)]
      let reply = number % 3 == 0 ? failures[number / 3 % 3] : .answer(oneNode)
      if reply.status > 0 {
        _ = receiver.receive(head: HTTPHead(status: reply.status, headers: reply.headers))
        _ = reply.body.withUnsafeBufferPointer { receiver.receive($0) }
      }
      if let failure = reply.failure { throw failure }
    }
    let client = try server.client { $0.transport = transport }
    let answers = Mutex<[Int: Int]>([:])
    onThreads(8) { thread in
      for number in stride(from: thread, to: 200, by: 8) {
        guard let request = try? QueryRequest("[out:json];node(\(number + 1));out;"),
          let result = try? client.fetch(request)
        else { continue }
        answers.withLock { $0[number] = result.response.dataset.nodes.count }
      }
    }
    #expect(answers.withLock { $0.count } == 200)
    #expect(answers.withLock { $0.values.allSatisfy { $0 == 1 } })
    // Of 300 requests every third fails; the last of them is answered.
    #expect(counter.load(ordering: .relaxed) == 299)
  }
}
