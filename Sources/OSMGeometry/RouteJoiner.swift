// Joins the ways of a route in the order in which it is written down.

import OSMModel

/// In which direction a route follows one of its ways.
enum TravelDirection: UInt8, Sendable {
  case both
  /// From the way's first node to its last: role `forward`.
  case along
  /// Role `backward`.
  case against
}

/// Collects the ways of a route and joins each with the one before where they meet.
///
/// Where a route splits into one-way branches and becomes one again, the first branch that is listed
/// stays with the whole, and the one that leads back is a line of its own, in its own direction.
/// Source: https://wiki.openstreetmap.org/wiki/Relation:route#Members
struct RouteJoiner {
  private var positions: [Coordinate] = []
  private var ends: [Int] = []
  private var directions: [TravelDirection] = []
  private var chain = Chain()
  /// The line that waits at the end of its one-way branch while the branch back is followed.
  private var waiting = Chain()

  /// How many ways of a one-way branch are looked back at; bounds the work on odd input.
  private static let branchLimit = 2_000

  mutating func removeAll() {
    positions.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    directions.removeAll(keepingCapacity: true)
  }

  mutating func append(_ line: ArraySlice<Coordinate>, _ direction: TravelDirection) {
    positions.append(contentsOf: line)
    ends.append(positions.count)
    directions.append(direction)
  }

  /// Whether a route goes on along an arc of a closed way, from where it comes in to where it goes out.
  var followsRings = false

  /// Joins the lines into `geometry`. A closed line, such as a roundabout, stays for itself unless
  /// ``followsRings``. Lines run as their directed ways do, otherwise in the direction of most of their ways.
  ///
  /// - Complexity: O(n).
  mutating func join(into geometry: inout Geometry) {
    for line in ends.indices {
      if first(line) == last(line) {
        if followsRings, followRing(line) { continue }
        finish(&geometry)
        begin(with: line)
        finish(&geometry)
      } else {
        place(line, &geometry)
      }
    }
    finish(&geometry)
    geometry.settleLines()
  }

  private func range(_ line: Int) -> Range<Int> { (line == 0 ? 0 : ends[line - 1])..<ends[line] }
  private func first(_ line: Int) -> Coordinate { positions[range(line).lowerBound] }
  private func last(_ line: Int) -> Coordinate { positions[range(line).upperBound - 1] }

  private func meets(_ line: Int, _ position: Coordinate) -> Bool {
    first(line) == position || last(line) == position
  }

  private func extendsChain(_ line: Int) -> Bool {
    meets(line, chain.tail) || (chain.pieces.count == 1 && meets(line, chain.head))
  }

  private mutating func place(_ line: Int, _ geometry: inout Geometry) {
    if !waiting.isEmpty,
      chain.tail == waiting.tail || (!extendsChain(line) && meets(line, waiting.tail))
    {
      // Both branches have come together, or the other one goes on.
      chain.emit(into: &geometry)
      swap(&chain, &waiting)
    }
    if chain.pieces.count == 1, !meets(line, chain.tail), meets(line, chain.head) { chain.flip() }
    if !chain.isEmpty, meets(line, chain.tail) || cutBranch(before: line, &geometry) {
      extend(with: line, isReversed: first(line) != chain.tail)
      return
    }
    if waiting.isEmpty, directions[line] != .both, let fork = chain.forkPosition,
      meets(line, fork)
    {
      swap(&chain, &waiting)
    } else {
      finish(&geometry)
    }
    begin(with: line)
  }

  /// Extends the chain along a closed line to where the next one leaves it: the way round if the
  /// closed line has a direction, otherwise the short way. False when they do not meet so.
  private mutating func followRing(_ line: Int) -> Bool {
    guard line + 1 < ends.count, first(line + 1) != last(line + 1), !chain.isEmpty else {
      return false
    }
    let ring = positions[range(line)].dropLast()
    if chain.pieces.count == 1, !ring.contains(chain.tail), ring.contains(chain.head) {
      chain.flip()
    }
    guard let entry = ring.firstIndex(of: chain.tail),
      let exit = ring.firstIndex(where: { meets(line + 1, $0) }), entry != exit
    else { return false }
    let along = exit > entry ? Array(ring[entry...exit]) : Array(ring[entry...] + ring[...exit])
    let against = Array(
      (exit < entry ? Array(ring[exit...entry]) : Array(ring[exit...] + ring[...entry])).reversed())
    let followsWay: Bool
    switch directions[line] {
    case .along: followsWay = true
    case .against: followsWay = false
    case .both: followsWay = extent(along) <= extent(against)
    }
    chain.append(
      (followsWay ? along : against)[...], directions[line] == .both ? .both : .along,
      isReversed: false)
    return true
  }

  /// The length of a line in degrees.
  private func extent(_ line: [Coordinate]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { sum, ends in
      let (x, y) = (ends.1.longitude - ends.0.longitude, ends.1.latitude - ends.0.latitude)
      return sum + (x * x + y * y).squareRoot()
    }
  }

  /// Where the chain has come back to the fork of a one-way branch and `line` goes on from a joint
  /// on the way: makes the part behind that joint a line of its own.
  private mutating func cutBranch(before line: Int, _ geometry: inout Geometry) -> Bool {
    var joint: Int?
    for index in chain.pieces.indices.reversed().prefix(RouteJoiner.branchLimit) {
      guard chain.pieces[index].direction != .both else { return false }
      let start = chain.start(of: index)
      if start == chain.tail {
        guard let joint else { return false }
        chain.emitBranch(from: joint, into: &geometry)
        return true
      }
      if joint == nil, meets(line, start) { joint = index }
    }
    return false
  }

  private mutating func begin(with line: Int) {
    extend(with: line, isReversed: directions[line] == .against)
  }

  private mutating func extend(with line: Int, isReversed: Bool) {
    chain.append(positions[range(line)], directions[line], isReversed: isReversed)
  }

  private mutating func finish(_ geometry: inout Geometry) {
    waiting.emit(into: &geometry)
    chain.emit(into: &geometry)
  }
}

/// Ways that follow each other.
private struct Chain {
  /// One way of a chain.
  struct Piece {
    /// Where its positions end; the next way begins with the last of them.
    var end: Int
    /// As seen along the chain.
    var direction: TravelDirection
    var isReversed: Bool
  }

  var positions: [Coordinate] = []
  var pieces: [Piece] = []

  var isEmpty: Bool { pieces.isEmpty }
  var head: Coordinate { positions.first ?? .undefined }
  var tail: Coordinate { positions.last ?? .undefined }

  func start(of piece: Int) -> Coordinate {
    positions[piece == 0 ? 0 : pieces[piece - 1].end - 1]
  }

  /// Where the one-way branch at the end of the chain began; `nil` when there is none.
  var forkPosition: Coordinate? {
    guard let branch = pieces.lastIndex(where: { $0.direction == .both }) else {
      return isEmpty ? nil : head
    }
    return branch == pieces.count - 1 ? nil : start(of: branch + 1)
  }

  mutating func append(
    _ line: ArraySlice<Coordinate>, _ direction: TravelDirection, isReversed: Bool
  ) {
    let skipped = positions.isEmpty ? 0 : 1
    if isReversed {
      positions.append(contentsOf: line.reversed().dropFirst(skipped))
    } else {
      positions.append(contentsOf: line.dropFirst(skipped))
    }
    pieces.append(
      Piece(
        end: positions.count, direction: isReversed ? direction.opposite : direction,
        isReversed: isReversed))
  }

  /// Turns a chain of one way around.
  mutating func flip() {
    positions.reverse()
    for index in pieces.indices {
      pieces[index].direction = pieces[index].direction.opposite
      pieces[index].isReversed.toggle()
    }
  }

  /// Gives the chain to `geometry` and empties it.
  mutating func emit(into geometry: inout Geometry) {
    guard !isEmpty else { return }
    append(pieces[...], positions[...], to: &geometry)
    positions.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
  }

  /// Gives the end of the chain from a way on to `geometry`, as a line of its own.
  mutating func emitBranch(from piece: Int, into geometry: inout Geometry) {
    let start = piece == 0 ? 0 : pieces[piece - 1].end - 1
    append(pieces[piece...], positions[start...], to: &geometry)
    positions.removeLast(positions.count - start - 1)
    pieces.removeLast(pieces.count - piece)
  }

  private func append(
    _ pieces: ArraySlice<Piece>, _ line: ArraySlice<Coordinate>, to geometry: inout Geometry
  ) {
    var (balance, reversed) = (0, 0)
    for piece in pieces {
      switch piece.direction {
      case .both: break
      case .along: balance += 1
      case .against: balance -= 1
      }
      if piece.isReversed { reversed += 1 }
    }
    if balance < 0 || (balance == 0 && reversed * 2 > pieces.count) {
      geometry.coordinates.append(contentsOf: line.reversed())
    } else {
      geometry.coordinates.append(contentsOf: line)
    }
    geometry.partEnds.append(geometry.coordinates.count)
  }
}

extension TravelDirection {
  fileprivate var opposite: TravelDirection {
    switch self {
    case .both: .both
    case .along: .against
    case .against: .along
    }
  }
}
