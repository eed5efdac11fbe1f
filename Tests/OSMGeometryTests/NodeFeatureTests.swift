// Which nodes are features.

import OSMGeometry
import OSMModel
import Testing

@Suite struct NodeFeatureTests {
  private let answer = """
    {"type":"way","id":1,"nodes":[1,2,3,4],"tags":{"highway":"path"}},
    {"type":"node","id":1,"lat":0,"lon":0},
    {"type":"node","id":2,"lat":0,"lon":1,"tags":{"barrier":"gate"}},
    {"type":"node","id":3,"lat":0,"lon":2,"tags":{"created_by":"x"}},
    {"type":"node","id":4,"lat":0,"lon":3},
    {"type":"node","id":5,"lat":0,"lon":4},
    {"type":"node","id":6},
    {"type":"node","id":4,"lat":0,"lon":3},
    {"type":"relation","id":7,"members":[{"type":"node","ref":1,"role":"x"}],"tags":{"type":"site"}}
    """

  private func nodes(_ options: FeatureOptions) throws -> [Int64] {
    let built = try features(answer, options)
    return built.set.indices.map { built.set.feature($0).id }.filter { $0.type == .node }
      .map(\.number).sorted()
  }

  @Test func selections() throws {
    #expect(try nodes(FeatureOptions()) == [2, 4, 5])
    #expect(try nodes(FeatureOptions(profile: .osmtogeojson)) == [1, 2, 5])
    #expect(try nodes(FeatureOptions(profile: .default, nodes: .tagged)) == [2])
    #expect(try nodes(FeatureOptions(profile: .default, nodes: .all)) == [1, 2, 3, 4, 5])
  }

  @Test func moreUninterestingTags() throws {
    var options = FeatureOptions()
    options.uninterestingTags = [UninterestingTag("barrier", values: ["gate"])]
    #expect(try nodes(options) == [4, 5])
    options.uninterestingTags = [UninterestingTag("barrier", values: ["wall"])]
    #expect(try nodes(options) == [2, 4, 5])
    options.uninterestingTags = [UninterestingTag("barrier")]
    #expect(try nodes(options) == [4, 5])
  }

  @Test func nodesWithoutPositionAreReported() throws {
    let built = try features(answer)
    #expect(built.kinds(.node, 6) == [.noGeometry])
  }

  @Test func areasGiveNoFeatureButDerivedElementsDo() throws {
    let json = """
      {"type":"area","id":3600000077,"tags":{"name":"Stadt"}},
      {"type":"count","id":0,"tags":{"nodes":"12"}},
      {"type":"street","id":1,"geometry":{"type":"LineString","coordinates":[[0,0],[1,0]]}},
      {"type":"thing","id":1,"geometry":{"type":"Polygon",
      "coordinates":[[0,0],[0,1],[1,1],[1,0],[0,0]]},"tags":{"a":"b"}}
      """
    let built = try features(json)
    #expect(built.ids == ["street/1", "thing/1"])
    #expect(built["thing/1"] == "POLYGON((0 0,1 0,1 1,0 1,0 0))")
    #expect(try features(json, FeatureOptions(profile: .osmtogeojson)).ids.isEmpty)
  }
}

extension FeatureSet {
  fileprivate var indices: Range<Int> { 0..<count }
}
