// The tables of area rules that come with the library. Each is a versioned list: change one only
// together with its version line and a test.

extension AreaRules {
  /// Present tagging practice, as editors and the standard map follow it: walls, hedges, fences,
  /// tracks and most other long things are lines unless `area=yes` says otherwise.
  ///
  /// Sources: the wiki pages of the keys, id-area-keys (ISC), openstreetmap-carto's list of
  /// linear values (CC0).
  public static let current = table(
    """
    # version 1
    decide area=yes area
    decide area=no line
    decide type=multipolygon area
    abandoned:building *
    aerialway + station
    aeroway - jet_bridge parking_position taxiway
    allotments *
    amenity - bench weighbridge
    area:highway *
    attraction - dark_ride river_rafting roller_coaster summer_toboggan train water_slide
    boundary *
    building *
    building:part *
    club *
    craft *
    demolished:building *
    disused:amenity *
    disused:building *
    disused:shop *
    emergency - designated destination no official private yes
    golf - cartpath hole path
    healthcare *
    highway + services rest_area escape elevator platform
    historic - citywalls city_wall hollow_way railway road roman_road
    indoor + area corridor level room
    junction + yes
    landcover *
    landuse *
    leisure - slipway track
    man_made - breakwater cutline dyke embankment gantry goods_conveyor groyne pipeline quay torii
    military - trench
    natural - arete cliff coastline earth_bank gully ridge tree_row valley
    office *
    piste:type + playground sleigh snow_park
    place *
    playground - balancebeam rope_traverse slide tunnel_tube zipwire
    power + compensator converter generator plant station sub_station substation switchgear transformer
    public_transport - stop_position
    railway + museum platform roundhouse signal_box station traverser turntable wash workshop yard
    ruins - yes
    shop *
    telecom + data_center exchange
    tourism - yes
    waterway + boatyard dam dock fuel riverbank sanitary_dump_station water_point
    """)

  /// The list of osmtogeojson and overpass turbo: osm-polygon-features 0.9.2 (CC0).
  /// Source: https://wiki.openstreetmap.org/wiki/Overpass_turbo/Polygon_Features
  public static let osmPolygonFeatures = table(
    """
    # version 0.9.2
    decide area=no line
    building *
    highway + services rest_area escape elevator
    natural - coastline cliff ridge arete tree_row
    landuse *
    waterway + riverbank dock boatyard dam
    amenity *
    leisure *
    barrier + city_wall ditch hedge retaining_wall wall spikes
    railway + station turntable roundhouse platform
    area *
    boundary *
    man_made - cutline embankment pipeline
    power + plant substation generator transformer
    place *
    shop *
    aeroway - taxiway
    tourism *
    historic *
    public_transport *
    office *
    building:part *
    military *
    ruins *
    area:highway *
    craft *
    golf *
    indoor *
    """)

  /// A table of this file, which tests read line by line.
  private static func table(_ text: String) -> AreaRules {
    (try? AreaRules(parsing: text)) ?? AreaRules()
  }
}
