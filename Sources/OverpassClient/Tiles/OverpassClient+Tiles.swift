// Large areas: where a server runs out of time or memory, the box is divided.

import OSMModel
import OverpassDecoding
import OverpassQuery

/// How far a box may be divided.
public struct TileLimits: Sendable, Hashable {
  /// How often a box may be quartered.
  public var maximumDepth = 6
  /// How many tiles may be asked for, those that were too large counted.
  public var maximumRequests = 200

  public init() {}
}

/// One part of a box that was asked for.
public struct FetchedTile: Sendable {
  public let box: BoundingBox
  /// How often the box was quartered.
  public let depth: Int
  /// Whether its answer is part of the result; `false` for one that was divided further.
  public let isAnswered: Bool
}

/// The answer for a box, put together from its tiles.
public struct TiledResult: Sendable {
  public let response: Response
  /// All tiles in the order in which they were asked for.
  public let tiles: [FetchedTile]
  /// All requests, in their order.
  public let attempts: [FetchAttempt]
  /// The server that answered last.
  public let endpoint: Endpoint
  /// Whether all answers were kept from an earlier time.
  public let isFromCache: Bool
}

extension OverpassClient {
  /// Runs a query for a box that may be too large for the server: where it runs out of time or memory,
  /// the box is quartered, and the answers are united by (type, id), of each element the most complete
  /// copy.
  ///
  /// Tiles are asked for one after the other. The query must not count, limit or compare, nor relate
  /// elements that may lie in different tiles, since tiles cannot be added up then.
  /// - Parameters:
  ///   - box: the part of the query to be divided: a box that its statements name, or one that its
  ///     settings get. `nil` for the only box that the query names.
  /// - Throws: ``FetchError``, whose ``FetchError/partial`` are the tiles that were answered.
  public func fetchTiled(
    _ query: Query, box: BoundingBox? = nil, limits: TileLimits = TileLimits(),
    options: DecodeOptions = DecodeOptions(), cancellation: Cancellation = Cancellation(),
    progress: FetchProgress.Handler? = nil
  ) throws(FetchError) -> TiledResult {
    let tiles: TileQuery
    do throws(ClientError) {
      guard limits.maximumDepth >= 0, limits.maximumRequests > 0 else {
        throw ClientError(.setting, "tiles need one request at least, and no negative depth")
      }
      tiles = try TileQuery(query, box: box)
    } catch {
      throw FetchError(.client(error))
    }
    var run = TileRun(self, tiles, limits, options, cancellation, progress)
    return try run.fetch()
  }
}

/// The way through the tiles of a box, depth first.
private struct TileRun {
  private struct Tile {
    var box: BoundingBox
    var depth: Int
  }

  private let client: OverpassClient
  private let query: TileQuery
  private let limits: TileLimits
  private var options: DecodeOptions
  private let cancellation: Cancellation
  private let progress: FetchProgress.Handler?
  /// The next one is the last.
  private var pending: [Tile]
  private var fetched: [FetchedTile] = []
  private var responses: [Response] = []
  private var attempts: [FetchAttempt] = []
  private var endpoint: Endpoint
  private var isFromCache = true

  init(
    _ client: OverpassClient, _ query: TileQuery, _ limits: TileLimits, _ options: DecodeOptions,
    _ cancellation: Cancellation, _ progress: FetchProgress.Handler?
  ) {
    self.client = client
    self.query = query
    self.limits = limits
    self.options = options
    // What is missing in a tile is asked for anew.
    self.options.allowTruncated = false
    self.cancellation = cancellation
    self.progress = progress
    endpoint = client.configuration.endpoints[0]
    pending = [Tile(box: query.box, depth: 0)]
  }

  mutating func fetch() throws(FetchError) -> TiledResult {
    while let tile = pending.popLast() {
      guard fetched.count < limits.maximumRequests else {
        let error = ClientError(
          .limit, "the box needs more tiles than the \(limits.maximumRequests) allowed")
        throw failed(FetchError(.client(error)))
      }
      do throws(FetchError) {
        let result = try client.fetch(
          try request(for: tile), options: options, cancellation: cancellation,
          progress: handler())
        responses.append(result.response)
        attempts += result.attempts
        endpoint = result.endpoint
        isFromCache = isFromCache && result.isFromCache
        note(tile, isAnswered: true)
      } catch {
        guard TileRun.isTooLarge(error), tile.depth < limits.maximumDepth,
          let quarters = tile.box.quarters
        else { throw failed(error) }
        attempts += error.attempts
        note(tile, isAnswered: false)
        pending += quarters.reversed().map { Tile(box: $0, depth: tile.depth + 1) }
      }
    }
    do throws(ResponseError) {
      return TiledResult(
        response: try Response.merging(responses), tiles: fetched, attempts: attempts,
        endpoint: endpoint, isFromCache: isFromCache)
    } catch {
      throw FetchError(.client(ClientError(.limit, error.message)), attempts: attempts)
    }
  }

  private func request(for tile: Tile) throws(FetchError) -> QueryRequest {
    do throws(QueryError) {
      return try QueryRequest(query.restricted(to: tile.box))
    } catch {
      throw FetchError(.query(error))
    }
  }

  private mutating func note(_ tile: Tile, isAnswered: Bool) {
    fetched.append(FetchedTile(box: tile.box, depth: tile.depth, isAnswered: isAnswered))
  }

  /// Whether a smaller box may help.
  private static func isTooLarge(_ error: FetchError) -> Bool {
    guard case .server(let error) = error.failure else { return false }
    return error.category == .queryTimeout || error.category == .outOfMemory
  }

  /// The error with everything that was answered before it.
  private func failed(_ error: FetchError) -> FetchError {
    var error = error
    error.attempts = attempts + error.attempts
    let parts = responses + (error.partial.map { [$0] } ?? [])
    if !parts.isEmpty {
      do throws(ResponseError) {
        error.partial = try Response.merging(parts)
      } catch {
        // Too much to be united; the error stands alone.
      }
    }
    return error
  }

  private func handler() -> FetchProgress.Handler? {
    guard let progress else { return nil }
    let done = fetched.count
    let left = pending.count + 1
    return { told in
      var told = told
      told.tilesDone = done
      told.tilesLeft = left
      return progress(told)
    }
  }
}
