[out:csv(::id,"name";false;";")];
area["name"="Helsinki"]["admin_level"="8"]->.city;
node["railway"="station"](area.city)->.stations;
node["highway"="bus_stop"](around.stations:200);
out;
