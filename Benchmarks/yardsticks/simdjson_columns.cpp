// Yardstick: simdjson fills the columns a decoder of Overpass JSON needs (On-Demand), or only parses
// into its own tree (DOM). Strings are unescaped and counted, not interned.
// usage: simdjson_columns FILE ondemand|dom      prints CPU seconds
#include <simdjson.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

namespace od = simdjson::ondemand;

struct Columns {
  std::vector<int64_t> ids, refs;
  std::vector<int32_t> latitudes, longitudes;
  size_t tags = 0, text = 0;
};

static double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static void read_member(od::object member, Columns &columns) {
  for (auto field : member) {
    std::string_view key = field.unescaped_key();
    if (key == "ref") {
      columns.refs.push_back(field.value().get_int64());
    } else {
      columns.text += std::string_view(field.value().get_string()).size();
    }
  }
}

static void read_element(od::object element, Columns &columns) {
  for (auto field : element) {
    std::string_view key = field.unescaped_key();
    od::value value = field.value();
    if (key == "id") {
      columns.ids.push_back(value.get_int64());
    } else if (key == "lat") {
      columns.latitudes.push_back(int32_t(double(value.get_double()) * 1e7));
    } else if (key == "lon") {
      columns.longitudes.push_back(int32_t(double(value.get_double()) * 1e7));
    } else if (key == "nodes") {
      for (auto ref : value.get_array()) columns.refs.push_back(ref.get_int64());
    } else if (key == "members") {
      for (auto member : value.get_array()) read_member(member.get_object(), columns);
    } else if (key == "tags") {
      for (auto tag : value.get_object()) {
        std::string_view name = tag.unescaped_key(), text = tag.value().get_string();
        columns.tags++;
        columns.text += name.size() + text.size();
      }
    } else {
      columns.text += std::string_view(value.get_string()).size();
    }
  }
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  auto text = simdjson::padded_string::load(arguments[1]).value();
  double start = cpu_seconds();
  if (!strcmp(arguments[2], "dom")) {
    simdjson::dom::parser parser;
    auto document = parser.parse(text);
    if (document.error()) return 1;
  } else {
    od::parser parser;
    auto document = parser.iterate(text).value();
    Columns columns;
    for (auto element : document["elements"].get_array()) {
      read_element(element.get_object(), columns);
    }
  }
  printf("%f\n", cpu_seconds() - start);
}
