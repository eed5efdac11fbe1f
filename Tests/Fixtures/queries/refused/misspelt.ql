[out:jsn][timout:25];
nodes[amenity=pub](52.5,13.3,52.6,13.5);
foreach {
  out bodi;
}
node(aruond:100,52.5,13.4)[name~"("];
