// Reads open options. GDAL itself only warns about values that it does not know.
#include "options.h"

#include <cmath>
#include <cstdlib>

namespace overpass {

const char *const optionList = R"(<OpenOptionList>
  <Option name="LAYERS" type="string-select" default="KINDS" description="A layer for each kind of geometry, or one for all features">
    <Value>KINDS</Value>
    <Value>ALL</Value>
  </Option>
  <Option name="TAGS" type="string" description="Tags with columns of their own: keys with commas between them, NONE, ALL, AUTO (the 20 most frequent) or AUTO:n; others are in other_tags"/>
  <Option name="TAGS_FORMAT" type="string-select" default="HSTORE" description="How other_tags is written">
    <Value>HSTORE</Value>
    <Value>JSON</Value>
  </Option>
  <Option name="METADATA" type="boolean" default="NO" description="Columns osm_version, osm_timestamp, osm_changeset, osm_uid, osm_user"/>
  <Option name="STRICT" type="boolean" default="NO" description="Refuse answers that are not complete"/>
  <Option name="APP" type="string" description="Who asks a server: 'my-app/1.0 (me@example.org)'"/>
  <Option name="CACHE" type="string" description="Folder in which answers of servers are kept"/>
  <Option name="CACHE_MAX_AGE" type="float" description="How old a kept answer may be, in seconds"/>
  <Option name="MAX_WAIT" type="float" description="For how many seconds a busy server is waited for"/>
</OpenOptionList>)";

namespace {

// SQLite takes no more than 2000 columns, and each costs memory in every feature.
constexpr size_t maxColumns = 1000;
constexpr size_t frequentColumns = 20;

bool refuse(const char *name, const char *value, const char *allowed) {
  CPLError(CE_Failure, CPLE_IllegalArg, "open option %s=%s: %s", name, value, allowed);
  return false;
}

/** Reads which of two words an option has. */
bool choose(CSLConstList given, const char *name, const char *no, const char *yes, bool &result) {
  const char *value = CSLFetchNameValueDef(given, name, no);
  result = EQUAL(value, yes);
  if (result || EQUAL(value, no)) return true;
  return refuse(name, value, CPLSPrintf("not %s or %s", no, yes));
}

bool readSeconds(CSLConstList given, const char *name, double &result) {
  const char *value = CSLFetchNameValue(given, name);
  if (value == nullptr) return true;
  char *end = nullptr;
  result = CPLStrtod(value, &end);
  if (end != value && *end == '\0' && std::isfinite(result) && result > 0) return true;
  return refuse(name, value, "not a number of seconds");
}

bool readTags(CSLConstList given, TagColumns &tags) {
  const char *value = CSLFetchNameValue(given, "TAGS");
  if (value == nullptr) return true;
  if (EQUAL(value, "ALL") || STARTS_WITH_CI(value, "AUTO:") || EQUAL(value, "AUTO")) {
    tags.choice = TagColumns::Choice::frequent;
    tags.count = EQUAL(value, "ALL") ? maxColumns : frequentColumns;
    if (value[4] != ':' || EQUAL(value, "ALL")) return true;
    char *end = nullptr;
    const long count = std::strtol(value + 5, &end, 10);
    if (end == value + 5 || *end != '\0' || count < 0 || count > long(maxColumns))
      return refuse("TAGS", value, "not a number from 0 to 1000");
    tags.count = size_t(count);
    return true;
  }
  tags.choice = TagColumns::Choice::named;
  if (EQUAL(value, "NONE")) return true;
  const CPLStringList names(CSLTokenizeString2(
      value, ",", CSLT_HONOURSTRINGS | CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES));
  if (size_t(names.size()) > maxColumns) return refuse("TAGS", "...", "more than 1000 keys");
  for (int each = 0; each < names.size(); each++) tags.names.emplace_back(names[each]);
  return true;
}

/** Who asks: the option, or what GDAL is told for all its requests. */
std::string application(CSLConstList given) {
  for (const char *value : {CSLFetchNameValue(given, "APP"),
                            CPLGetConfigOption("OVERPASS_APP", nullptr),
                            CPLGetConfigOption("GDAL_HTTP_USERAGENT", nullptr)})
    if (value != nullptr && *value != '\0') return value;
  return {};
}

}  // namespace

bool readOptions(CSLConstList given, Options &options) {
  options.metadata = CPLFetchBool(given, "METADATA", false);
  options.strict = CPLFetchBool(given, "STRICT", false);
  options.cacheFolder = CSLFetchNameValueDef(given, "CACHE", "");
  options.application = application(given);
  return choose(given, "LAYERS", "KINDS", "ALL", options.oneLayer) &&
         choose(given, "TAGS_FORMAT", "HSTORE", "JSON", options.json) &&
         readTags(given, options.tags) &&
         readSeconds(given, "CACHE_MAX_AGE", options.cacheMaxAge) &&
         readSeconds(given, "MAX_WAIT", options.maxWait);
}

}  // namespace overpass
