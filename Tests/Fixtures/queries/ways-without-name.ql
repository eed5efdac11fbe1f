[out:xml][bbox:60.1,24.9,60.2,25];
(
  way["highway"~"^(primary|secondary)$"][!"name"];
  - way["noname"="yes"];
);
(
  ._;
  >;
);
out meta qt;
