way["highway"](1,2,3,4)->.all;
for.all->.kind(t["highway"]) {
  make stat highway=kind.val, count=kind.count(ways), km=kind.sum(length()) / 1000;
  out;
}
if(all.count(ways) > 100 && !(all.count(nodes) == 0)) {
  .all out ids;
} else {
  .all out center 10;
}
