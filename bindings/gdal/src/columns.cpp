// Fields of features: identity, tags with columns of their own, metadata, all other tags as text.
#include "columns.h"

#include "cpl_time.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <set>
#include <unordered_map>

namespace overpass {

namespace {

constexpr int osmID = 0, osmType = 1;

/** Names that columns for tags may not have: ours, and those that common formats give to theirs. */
bool isReserved(const std::string &key) {
  if (STARTS_WITH_CI(key.c_str(), "osm_")) return true;
  for (const char *name : {"other_tags", "fid", "ogc_fid", "geom", "geometry", "wkb_geometry"})
    if (EQUAL(key.c_str(), name)) return true;
  return false;
}

/** The most frequent keys of a layer, those with the same count in the order of their texts. */
std::vector<std::string> frequentKeys(const Answer &answer, const std::vector<size_t> &rows,
                                      size_t count) {
  const opk_feature_arrays &table = answer.table();
  std::unordered_map<uint32_t, size_t> counts;
  for (const size_t row : rows)
    for (size_t tag = row == 0 ? 0 : table.tag_ends[row - 1]; tag < table.tag_ends[row]; tag++)
      counts[table.tags[tag].key]++;
  std::vector<std::pair<std::string, size_t>> keys;
  for (const auto &[key, uses] : counts) keys.emplace_back(answer.text(key), uses);
  count = std::min(count, keys.size());
  std::partial_sort(keys.begin(), keys.begin() + std::ptrdiff_t(count), keys.end(),
                    [](const auto &a, const auto &b) {
                      return a.second != b.second ? a.second > b.second : a.first < b.first;
                    });
  std::vector<std::string> result;
  for (size_t each = 0; each < count; each++) result.push_back(keys[each].first);
  return result;
}

std::vector<std::string> keysOf(const Answer &answer, const std::vector<size_t> &rows,
                                const LayerKind &kind, const TagColumns &tags) {
  if (tags.choice == TagColumns::Choice::named) return tags.names;
  if (tags.choice == TagColumns::Choice::frequent) return frequentKeys(answer, rows, tags.count);
  const CPLStringList names(CSLTokenizeString2(kind.usualTags, ",", 0));
  return std::vector<std::string>(names.List(), names.List() + names.size());
}

void setText(OGRFeature &feature, int column, std::string_view text) {
  OGRField &field = *feature.GetRawFieldRef(column);
  // The first of several tags with one key counts.
  if (!OGR_RawField_IsUnset(&field)) return;
  auto *copy = static_cast<char *>(VSI_MALLOC_VERBOSE(text.size() + 1));
  if (copy == nullptr) return;
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  field.String = copy;
}

/** Adds a text in quotes, whole runs at a time; `special` writes what may not stand in one. */
template <typename Special>
void addQuoted(std::string &out, std::string_view text, Special special) {
  out += '"';
  size_t start = 0;
  for (size_t each = 0; each < text.size(); each++) {
    const auto byte = static_cast<unsigned char>(text[each]);
    if (byte != '"' && byte != '\\' && byte >= 0x20) continue;
    out.append(text.substr(start, each - start));
    special(out, byte);
    start = each + 1;
  }
  out.append(text.substr(start));
  out += '"';
}

/** As PostgreSQL's hstore and GDAL's OSM driver have it. */
void addHstore(std::string &out, std::string_view text) {
  addQuoted(out, text, [](std::string &out, unsigned char byte) {
    // Neither hstore nor a text of GDAL can hold a NUL.
    if (byte == 0) return void(out += "\xEF\xBF\xBD");
    if (byte >= 0x20) out += '\\';
    out += char(byte);
  });
}

void addJSON(std::string &out, std::string_view text) {
  addQuoted(out, text, [](std::string &out, unsigned char byte) {
    if (byte >= 0x20)
      (out += '\\') += char(byte);
    else
      out += CPLSPrintf("\\u%04x", unsigned(byte));
  });
}

}  // namespace

Columns::Columns(const Answer &answer, const std::vector<size_t> &rows, const LayerKind &kind,
                 const Options &options, OGRFeatureDefn &definition)
    : answer_(answer), json_(options.json), columnOfText_(answer.table().text_count, -1) {
  const auto add = [&definition](const char *name, OGRFieldType type) {
    OGRFieldDefn field(name, type);
    definition.AddFieldDefn(&field);
    return definition.GetFieldCount() - 1;
  };
  add("osm_id", OFTInteger64);
  add("osm_type", OFTString);
  addTags(keysOf(answer, rows, kind, options.tags), definition);
  if (options.metadata) {
    metadata_ = add("osm_version", OFTInteger);
    add("osm_timestamp", OFTDateTime);
    add("osm_changeset", OFTInteger64);
    add("osm_uid", OFTInteger64);
    add("osm_user", OFTString);
  }
  otherTags_ = add("other_tags", OFTString);
  if (json_) definition.GetFieldDefn(otherTags_)->SetSubType(OFSTJSON);
  setIgnored(definition);
}

void Columns::setIgnored(OGRFeatureDefn &definition) {
  isWanted_.clear();
  for (int column = 0; column < definition.GetFieldCount(); column++)
    isWanted_.push_back(!definition.GetFieldDefn(column)->IsIgnored());
}

void Columns::addTags(const std::vector<std::string> &keys, OGRFeatureDefn &definition) {
  std::unordered_map<std::string, int16_t> columns;
  std::set<std::string> names;
  for (const std::string &key : keys) {
    const std::string name = isReserved(key) ? "tag:" + key : key;
    if (key.empty() || key.find('\0') != std::string::npos) continue;
    // Names of columns are the same whatever their case: of two such keys, the second one has none.
    if (!names.insert(CPLString(name).tolower()).second) continue;
    OGRFieldDefn field(name.c_str(), OFTString);
    definition.AddFieldDefn(&field);
    columns.emplace(key, int16_t(definition.GetFieldCount() - 1));
  }
  if (columns.empty()) return;
  for (uint32_t number = 0; number < columnOfText_.size(); number++) {
    const auto found = columns.find(std::string(answer_.text(number)));
    if (found != columns.end()) columnOfText_[number] = found->second;
  }
}

void Columns::fill(OGRFeature &feature, size_t row) {
  const opk_feature_arrays &table = answer_.table();
  const auto isWanted = [this](int column) { return isWanted_[size_t(column)]; };
  if (table.ids[row] != 0 && isWanted(osmID))
    feature.SetField(osmID, static_cast<GIntBig>(table.ids[row]));
  if (isWanted(osmType)) setText(feature, osmType, answer_.typeName(row));

  const bool wantsOthers = isWanted(otherTags_);
  std::string &others = others_;
  others.clear();
  for (size_t tag = row == 0 ? 0 : table.tag_ends[row - 1]; tag < table.tag_ends[row]; tag++) {
    const opk_tag &each = table.tags[tag];
    const int column = each.key < columnOfText_.size() ? columnOfText_[each.key] : -1;
    if (column >= 0) {
      if (isWanted(column)) setText(feature, column, answer_.text(each.value));
    } else if (wantsOthers) {
      others += others.empty() ? (json_ ? "{" : "") : ",";
      const auto addText = json_ ? addJSON : addHstore;
      addText(others, answer_.text(each.key));
      others += json_ ? ":" : "=>";
      addText(others, answer_.text(each.value));
    }
  }
  if (!others.empty()) {
    if (json_) others += '}';
    setText(feature, otherTags_, others);
  }
  if (metadata_ >= 0) fillMetadata(feature, row);
}

void Columns::fillMetadata(OGRFeature &feature, size_t row) const {
  opk_element element = OPK_ELEMENT_INIT;
  if (!answer_.element(row, element)) return;
  const auto isWanted = [this, &element](int column, uint32_t part) {
    return (element.has & part) != 0 && isWanted_[size_t(metadata_ + column)];
  };
  if (isWanted(0, OPK_HAS_VERSION)) feature.SetField(metadata_, element.version);
  if (isWanted(1, OPK_HAS_TIMESTAMP)) {
    struct tm time;
    CPLUnixTimeToYMDHMS(static_cast<GIntBig>(element.timestamp), &time);
    constexpr int utc = 100;
    feature.SetField(metadata_ + 1, time.tm_year + 1900, time.tm_mon + 1, time.tm_mday,
                     time.tm_hour, time.tm_min, float(time.tm_sec), utc);
  }
  if (isWanted(2, OPK_HAS_CHANGESET))
    feature.SetField(metadata_ + 2, static_cast<GIntBig>(element.changeset));
  if (isWanted(3, OPK_HAS_UID)) feature.SetField(metadata_ + 3, static_cast<GIntBig>(element.uid));
  if (isWanted(4, OPK_HAS_USER)) setText(feature, metadata_ + 4, view(element.user));
}

}  // namespace overpass
