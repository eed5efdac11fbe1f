[adiff:"2015-01-01T00:00:00Z","2016-01-01T00:00:00Z"];
nwr(changed)(user_touched:"a","b \"c\"");
compare(delta:t["name"])->.changed {
  .changed out geom;
}
timeline(relation,5,2);
out;
retro("2014-01-01T00:00:00Z") {
  way(5);
  out;
}
