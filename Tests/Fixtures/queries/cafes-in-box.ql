[out:json][timeout:25];
node["amenity"="cafe"](52.5,13.3,52.6,13.5);
out;
