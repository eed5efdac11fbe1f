// The reports that BugReportTests goes through. Longer than other files, as each is given whole.

let bugReports: [BugReport] = [
  BugReport(
    number: 77, title: "closed barrier=wall",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"barrier":"wall"}},
      {"type":"way","id":2,"nodes":[1,2,3,4,1],"tags":{"barrier":"wall","area":"yes"}}
      """#,
    features: [
      "way/1": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
      "way/2": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
    ],
    problem: nil),
  BugReport(
    number: 78, title: "highway=service is not highway=services",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"highway":"service"}},
      {"type":"way","id":2,"nodes":[1,2,3,4,1],"tags":{"highway":"services"}},
      {"type":"way","id":3,"nodes":[1,2,3,4,1],"tags":{"highway":"pedestrian","area":"yes"}},
      {"type":"way","id":4,"nodes":[1,2,3,4,1],"tags":{"highway":"residential",
      "junction":"roundabout"}}
      """#,
    features: [
      "way/1": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
      "way/2": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
      "way/3": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
      "way/4": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
    ],
    problem: nil),
  BugReport(
    number: 79, title: "order of tags",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"natural":"tree_row","leisure":"park"}},
      {"type":"way","id":2,"nodes":[1,2,3,4,1],"tags":{"leisure":"park","natural":"tree_row"}},
      {"type":"way","id":3,"nodes":[1,2,3,4,1],"tags":{"natural":"coastline"}}
      """#,
    features: [
      "way/1": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
      "way/2": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
      "way/3": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
    ],
    problem: nil),
  BugReport(
    number: 80, title: "values of area",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"leisure":"track","area":"no"}},
      {"type":"way","id":2,"nodes":[1,2,3,4,1],"tags":{"highway":"footway","area":"yes"}},
      {"type":"way","id":3,"nodes":[1,2,3,4,1],"tags":{"highway":"footway","area":"maybe"}},
      {"type":"way","id":4,"nodes":[1,2,3],"tags":{"building":"yes","area":"yes"}}
      """#,
    features: [
      "way/1": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
      "way/2": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
      "way/3": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
      "way/4": "LINESTRING(0 0,10 0,10 10)",
    ],
    problem: nil),
  BugReport(
    number: 83, title: "joined values",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"man_made":"pipeline"}},
      {"type":"way","id":2,"nodes":[1,2,3,4,1],"tags":{"man_made":"water_tower"}},
      {"type":"way","id":3,"nodes":[1,2,3,4,1],"tags":{"man_made":"embankment"}},
      {"type":"way","id":4,"nodes":[1,2,3,4,1],"tags":{"barrier":"spikes"}}
      """#,
    features: [
      "way/1": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
      "way/2": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
      "way/3": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
      "way/4": "LINESTRING(0 0,10 0,10 10,0 10,0 0)",
    ],
    problem: nil),
  BugReport(
    number: 86, title: "closed by position",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":1},
      {"type":"node","id":3,"lat":1,"lon":1},
      {"type":"node","id":99,"lat":0,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,99],"tags":{"building":"yes"}},
      {"type":"way","id":2,"geometry":[{"lat":0,"lon":0},{"lat":0,"lon":1},{"lat":1,"lon":1},
      {"lat":0,"lon":0}],"tags":{"building":"yes"}}
      """#,
    features: [
      "way/1": "POLYGON((0 0,1 0,1 1,0 0))",
      "way/2": "POLYGON((0 0,1 0,1 1,0 0))",
    ],
    problem: "way/1 shared-position"),
  BugReport(
    number: 88, title: "no outer role",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":4,"lon":4},
      {"type":"node","id":6,"lat":4,"lon":6},
      {"type":"node","id":7,"lat":6,"lon":6},
      {"type":"node","id":8,"lat":6,"lon":4},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"way","id":2,"nodes":[5,6,7,8,5]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":1,"role":""},{"type":"way","ref":2,
      "role":"inner"}],"tags":{"type":"multipolygon","landuse":"meadow"}}
      """#,
    features: [
      "relation/3": "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))"
    ],
    problem: "relation/3 missing-role"),
  BugReport(
    number: 89, title: "hole tagged as outer",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":4,"lon":4},
      {"type":"node","id":6,"lat":4,"lon":6},
      {"type":"node","id":7,"lat":6,"lon":6},
      {"type":"node","id":8,"lat":6,"lon":4},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"way","id":2,"nodes":[5,6,7,8,5]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"outer"}],"tags":{"type":"multipolygon","natural":"water"}}
      """#,
    features: [
      "relation/3": "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))"
    ],
    problem: "relation/3 role-should-be-inner"),
  BugReport(
    number: 90, title: "enclave in an enclave",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":2,"lon":2},
      {"type":"node","id":6,"lat":2,"lon":8},
      {"type":"node","id":7,"lat":8,"lon":8},
      {"type":"node","id":8,"lat":8,"lon":2},
      {"type":"node","id":9,"lat":4,"lon":4},
      {"type":"node","id":10,"lat":4,"lon":6},
      {"type":"node","id":11,"lat":6,"lon":6},
      {"type":"node","id":12,"lat":6,"lon":4},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"way","id":2,"nodes":[9,10,11,12,9]},
      {"type":"way","id":3,"nodes":[5,6,7,8,5]},
      {"type":"relation","id":4,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"outer"},{"type":"way","ref":3,"role":"inner"}],"tags":{"type":"boundary",
      "boundary":"administrative"}}
      """#,
    features: [
      "relation/4":
        "MULTIPOLYGON(((0 0,10 0,10 10,0 10,0 0),(2 2,2 8,8 8,8 2,2 2)),((4 4,6 4,6 6,4"
        + " 6,4 4)))"
    ],
    problem: nil),
  BugReport(
    number: 91, title: "inner before outer",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":4,"lon":4},
      {"type":"node","id":6,"lat":4,"lon":6},
      {"type":"node","id":7,"lat":6,"lon":6},
      {"type":"node","id":8,"lat":6,"lon":4},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"way","id":2,"nodes":[5,6,7,8,5]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":2,"role":"inner"},{"type":"way",
      "ref":1,"role":"outer"}],"tags":{"type":"multipolygon","building":"yes"}}
      """#,
    features: [
      "relation/3": "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))"
    ],
    problem: nil),
  BugReport(
    number: 92, title: "two holes",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":1,"lon":1},
      {"type":"node","id":6,"lat":1,"lon":2},
      {"type":"node","id":7,"lat":2,"lon":2},
      {"type":"node","id":8,"lat":2,"lon":1},
      {"type":"node","id":9,"lat":7,"lon":7},
      {"type":"node","id":10,"lat":7,"lon":8},
      {"type":"node","id":11,"lat":8,"lon":8},
      {"type":"node","id":12,"lat":8,"lon":7},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"way","id":2,"nodes":[5,6,7,8,5]},
      {"type":"way","id":3,"nodes":[9,10,11,12,9]},
      {"type":"relation","id":4,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"inner"},{"type":"way","ref":3,"role":"inner"}],
      "tags":{"type":"multipolygon","building":"yes"}}
      """#,
    features: [
      "relation/4": "POLYGON((0 0,10 0,10 10,0 10,0 0),(1 1,1 2,2 2,2 1,1 1),(7 7,7 8,8 8,8 7,7 7))"
    ],
    problem: nil),
  BugReport(
    number: 94, title: "way listed twice",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"relation","id":2,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":1,"role":"outer"}],"tags":{"type":"multipolygon","landuse":"grass"}}
      """#,
    features: [
      "relation/2": "POLYGON((0 0,10 0,10 10,0 10,0 0))"
    ],
    problem: "relation/2 duplicate-member"),
  BugReport(
    number: 97, title: "two ways, one reversed",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":4},
      {"type":"node","id":3,"lat":4,"lon":4},
      {"type":"node","id":4,"lat":4,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3]},
      {"type":"way","id":2,"nodes":[1,4,3]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"outer"}],"tags":{"type":"multipolygon","amenity":"fuel"}}
      """#,
    features: [
      "relation/3": "POLYGON((0 0,4 0,4 4,0 4,0 0))"
    ],
    problem: nil),
  BugReport(
    number: 99, title: "latitude is not longitude",
    elements:
      #"""
      {"type":"node","id":1,"lat":50,"lon":6},
      {"type":"node","id":2,"lat":50,"lon":9},
      {"type":"node","id":3,"lat":52,"lon":9},
      {"type":"node","id":4,"lat":52,"lon":7},
      {"type":"node","id":5,"lat":50.5,"lon":7.5},
      {"type":"node","id":6,"lat":50.5,"lon":8},
      {"type":"node","id":7,"lat":51,"lon":8},
      {"type":"node","id":8,"lat":51,"lon":7.5},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"way","id":2,"nodes":[5,6,7,8,5]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"inner"}],"tags":{"type":"multipolygon","landuse":"forest"}}
      """#,
    features: [
      "relation/3": "POLYGON((6 50,9 50,9 52,7 52,6 50),(7.5 50.5,7.5 51,8 51,8 50.5,7.5 50.5))"
    ],
    problem: nil),
  BugReport(
    number: 100, title: "touching itself",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":4},
      {"type":"node","id":3,"lat":2,"lon":2},
      {"type":"node","id":4,"lat":4,"lon":4},
      {"type":"node","id":5,"lat":4,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,4,5,3,1],"tags":{"landuse":"grass"}},
      {"type":"relation","id":2,"members":[{"type":"way","ref":10,"role":"outer"}],
      "tags":{"type":"multipolygon"}}
      """#,
    features: [
      "way/1": "MULTIPOLYGON(((0 0,4 0,2 2,0 0)),((0 4,2 2,4 4,0 4)))"
    ],
    problem: "relation/2 no-geometry"),
  BugReport(
    number: 101, title: "crossing itself",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":4,"lon":4},
      {"type":"node","id":3,"lat":0,"lon":4},
      {"type":"node","id":4,"lat":4,"lon":0},
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"building":"yes"}},
      {"type":"node","id":11,"lat":10,"lon":10},
      {"type":"node","id":12,"lat":10,"lon":11},
      {"type":"node","id":13,"lat":11,"lon":11},
      {"type":"way","id":2,"nodes":[11,12,13,11],"tags":{"building":"yes"}}
      """#,
    features: [
      "way/1": "LINESTRING(0 0,4 4,4 0,0 4,0 0)",
      "way/2": "POLYGON((10 10,11 10,11 11,10 10))",
    ],
    problem: "way/1 intersection"),
  BugReport(
    number: 102, title: "members that are no rings",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":5,"lon":5,"tags":{"place":"city"}},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"node",
      "ref":5,"role":"admin_centre"},{"type":"node","ref":5,"role":"label"},{"type":"relation",
      "ref":8,"role":"subarea"},{"type":"way","ref":99,"role":"subarea"}],
      "tags":{"type":"boundary","boundary":"administrative"}}
      """#,
    features: [
      "relation/3": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
      "node/5": "POINT(5 5)",
    ],
    problem: nil),
  BugReport(
    number: 104, title: "old-style multipolygon",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":4,"lon":4},
      {"type":"node","id":6,"lat":4,"lon":6},
      {"type":"node","id":7,"lat":6,"lon":6},
      {"type":"node","id":8,"lat":6,"lon":4},
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"landuse":"forest"}},
      {"type":"way","id":2,"nodes":[5,6,7,8,5]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"inner"}],"tags":{"type":"multipolygon"}}
      """#,
    features: [
      "relation/3": "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))"
    ],
    problem: nil),
  BugReport(
    number: 105, title: "inner ring outside",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":20,"lon":20},
      {"type":"node","id":6,"lat":20,"lon":21},
      {"type":"node","id":7,"lat":21,"lon":21},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"way","id":2,"nodes":[5,6,7,5]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"inner"}],"tags":{"type":"multipolygon","landuse":"grass"}}
      """#,
    features: [
      "relation/3": "POLYGON((0 0,10 0,10 10,0 10,0 0))"
    ],
    problem: "relation/3 stray-inner-ring"),
  BugReport(
    number: 106, title: "orientation",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":5,"lat":4,"lon":4},
      {"type":"node","id":6,"lat":4,"lon":6},
      {"type":"node","id":7,"lat":6,"lon":6},
      {"type":"node","id":8,"lat":6,"lon":4},
      {"type":"way","id":1,"nodes":[1,4,3,2,1]},
      {"type":"way","id":2,"nodes":[5,8,7,6,5]},
      {"type":"relation","id":3,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"inner"}],"tags":{"type":"multipolygon","building":"yes"}},
      {"type":"way","id":4,"nodes":[1,4,3,2,1],"tags":{"building":"yes"}}
      """#,
    features: [
      "relation/3": "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))",
      "way/4": "POLYGON((0 0,10 0,10 10,0 10,0 0))",
    ],
    problem: nil),
  BugReport(
    number: 107, title: "hole at the border of a neighbour",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":10},
      {"type":"node","id":3,"lat":10,"lon":10},
      {"type":"node","id":4,"lat":10,"lon":0},
      {"type":"node","id":11,"lat":0,"lon":20},
      {"type":"node","id":12,"lat":10,"lon":20},
      {"type":"node","id":5,"lat":2,"lon":10},
      {"type":"node","id":6,"lat":4,"lon":14},
      {"type":"node","id":7,"lat":6,"lon":12},
      {"type":"way","id":1,"nodes":[1,2,3,4,1]},
      {"type":"way","id":2,"nodes":[2,11,12,3,2]},
      {"type":"way","id":3,"nodes":[5,6,7,5]},
      {"type":"relation","id":4,"members":[{"type":"way","ref":1,"role":"outer"},{"type":"way",
      "ref":2,"role":"outer"},{"type":"way","ref":3,"role":"inner"}],
      "tags":{"type":"multipolygon","landuse":"forest"}}
      """#,
    features: [:],
    problem: nil),
  BugReport(
    number: 109, title: "route with a missing way",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":1},
      {"type":"node","id":3,"lat":0,"lon":2},
      {"type":"node","id":9,"lat":0,"lon":3,"tags":{"highway":"bus_stop"}},
      {"type":"way","id":1,"nodes":[1,2],"tags":{"highway":"residential"}},
      {"type":"relation","id":4,"members":[{"type":"node","ref":9,"role":"platform"},
      {"type":"way","ref":1,"role":""},{"type":"way","ref":2,"role":""}],"tags":{"type":"route",
      "route":"bus","ref":"A1"}}
      """#,
    features: [
      "relation/4": "LINESTRING(0 0,1 0)",
      "way/1": "LINESTRING(0 0,1 0)",
      "node/9": "POINT(3 0)",
    ],
    problem: "relation/4 missing-members"),
  BugReport(
    number: 110, title: "route in reverse order",
    elements:
      #"""
      {"type":"relation","id":1,"members":[{"type":"way","ref":3,"role":"backward",
      "geometry":[{"lat":5,"lon":6},{"lat":7,"lon":8}]},{"type":"way","ref":2,"role":"forward",
      "geometry":[{"lat":3,"lon":4},{"lat":5,"lon":6}]},{"type":"way","ref":4,"role":"",
      "geometry":[{"lat":1,"lon":2},{"lat":3,"lon":4}]}],"tags":{"type":"route","route":"hiking"}}
      """#,
    features: [
      "relation/1": "LINESTRING(2 1,4 3,6 5,8 7)"
    ],
    problem: nil),
  BugReport(
    number: 111, title: "roundabout in a route",
    elements:
      #"""
      {"type":"node","id":1,"lat":0,"lon":0},
      {"type":"node","id":2,"lat":0,"lon":2},
      {"type":"node","id":3,"lat":1,"lon":3},
      {"type":"node","id":4,"lat":0,"lon":4},
      {"type":"node","id":5,"lat":-1,"lon":3},
      {"type":"node","id":6,"lat":0,"lon":6},
      {"type":"way","id":1,"nodes":[1,2],"tags":{"highway":"primary"}},
      {"type":"way","id":2,"nodes":[2,3,4,5,2],"tags":{"highway":"primary",
      "junction":"roundabout"}},
      {"type":"way","id":3,"nodes":[4,6],"tags":{"highway":"primary"}},
      {"type":"relation","id":9,"members":[{"type":"way","ref":1,"role":""},{"type":"way","ref":2,
      "role":""},{"type":"way","ref":3,"role":""}],"tags":{"type":"route","route":"bus"}}
      """#,
    features: [
      "relation/9": "MULTILINESTRING((0 0,2 0),(2 0,3 1,4 0,3 -1,2 0),(4 0,6 0))"
    ],
    problem: nil),
  BugReport(
    number: 115, title: "antimeridian",
    elements:
      #"""
      {"type":"node","id":1,"lat":65,"lon":179.5},
      {"type":"node","id":2,"lat":65,"lon":-179.5},
      {"type":"node","id":3,"lat":66,"lon":-179.5},
      {"type":"node","id":4,"lat":66,"lon":179.5},
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"natural":"water"}},
      {"type":"way","id":2,"nodes":[1,2],"tags":{"waterway":"river"}}
      """#,
    features: [
      "way/1":
        "MULTIPOLYGON(((179.5 65,180 65,180 66,179.5 66,179.5 65)),((-180 65,-179.5 65,"
        + "-179.5 66,-180 66,-180 65)))",
      "way/2": "MULTILINESTRING((179.5 65,180 65),(-180 65,-179.5 65))",
    ],
    problem: nil),
  BugReport(
    number: 117, title: "precision",
    elements:
      #"""
      {"type":"node","id":1,"lat":51.1234567,"lon":-1e-07},
      {"type":"node","id":2,"lat":-89.9999999,"lon":179.9999999}
      """#,
    features: [
      "node/1": "POINT(-0.0000001 51.1234567)",
      "node/2": "POINT(179.9999999 -89.9999999)",
    ],
    problem: nil),
  BugReport(
    number: 118, title: "no exponents",
    elements:
      #"""
      {"type":"node","id":1,"lat":49.3264086,"lon":-2e-07},
      {"type":"node","id":2,"lat":49.33,"lon":1e-07},
      {"type":"way","id":1,"nodes":[1,2],"tags":{"boundary":"administrative"}}
      """#,
    features: [
      "way/1": "LINESTRING(-0.0000002 49.3264086,0.0000001 49.33)"
    ],
    problem: nil),
]
