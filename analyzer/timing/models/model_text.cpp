// Writes a model file: JSON that people can read, too.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/timing/models/model.h"
#include "analyzer/timing/models/model_form.h"

namespace fathom {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(const Line& line)
{
    return {{"intercept", line.intercept}, {"factor", line.slope}};
}

OrderedJson json_of(const TwoLines& lines)
{
    OrderedJson json = OrderedJson::object();
    if (lines.small) json["small"] = json_of(*lines.small);
    if (lines.large) json["large"] = json_of(*lines.large);
    return json;
}

OrderedJson json_of(const ModelErrors& errors)
{
    OrderedJson json = OrderedJson::object();
    for (const ErrorMember& member : error_members)
        if (const auto& value = errors.*member.value) json[std::string(member.name)] = *value;
    return json;
}

OrderedJson json_of(const TrainedSize& one)
{
    return {{"size", one.size},         {"limit", one.limit},
            {"typical", one.typical},   {"operations", one.operations},
            {"outliers", one.outliers}, {"outliers_of_model", one.outliers_of_model}};
}

OrderedJson json_of(const IoModel& model)
{
    OrderedJson json = OrderedJson::object();
    for (const TextMember<IoModel>& member : model_texts)
        json[std::string(member.name)] = model.*member.value;
    json["limit"] = json_of(model.limit);
    if (model.typical.any()) json["typical"] = json_of(model.typical);
    OrderedJson errors = OrderedJson::object();
    if (const OrderedJson small = json_of(model.small_errors); !small.empty()) errors["small"] = small;
    if (const OrderedJson large = json_of(model.large_errors); !large.empty()) errors["large"] = large;
    if (!errors.empty()) json["errors"] = errors;
    if (model.sizes.empty()) return json;
    json["sizes"] = OrderedJson::array();
    for (const TrainedSize& one : model.sizes) json["sizes"].push_back(json_of(one));
    return json;
}

}  // namespace

bool ModelFile::has_typical() const
{
    return !models.empty() &&
           std::all_of(models.begin(), models.end(), [](const IoModel& one) { return one.typical.any(); });
}

std::string model_text(const ModelFile& file)
{
    OrderedJson made = OrderedJson::object(), units = OrderedJson::object(), models = OrderedJson::array();
    for (const TextMember<ModelOrigin>& member : origin_texts)
        if (!(file.made.*member.value).empty()) made[std::string(member.name)] = file.made.*member.value;
    for (const auto& [name, unit] : model_units) units[std::string(name)] = unit;
    for (const IoModel& model : file.models) models.push_back(json_of(model));
    const OrderedJson json = {{"fathom_model", model_version},
                              {"about", file.about},
                              {"made", std::move(made)},
                              {"units", std::move(units)},
                              {"models", std::move(models)}};
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace fathom
