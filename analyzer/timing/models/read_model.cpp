// Reads a model file and takes nothing on trust: each member is there, is of its kind, and within its bounds.
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

#include "analyzer/timing/models/model.h"
#include "analyzer/timing/models/model_form.h"

namespace fathom {
namespace {

using Json = nlohmann::json;

constexpr std::string_view remedy = "make it anew with fathom model train";

// A value of the file, and where it stands: "models[3].limit.small".
class Value {
  public:
    Value(const std::string& path, const Json& json, std::string place)
        : path_(path), json_(json), place_(std::move(place))
    {}

    [[noreturn]] void refuse(std::string_view why) const
    {
        throw std::runtime_error(fmt::format("{}: {} {}; this is no model that can be used: {}", path_,
                                             place_.empty() ? "the file" : place_, why, remedy));
    }

    bool has(std::string_view name) const { return json_.contains(name); }

    Value at(std::string_view name) const
    {
        object();
        const auto found = json_.find(name);
        if (found == json_.end()) refuse(fmt::format("lacks \"{}\"", name));
        return {path_, *found, place_.empty() ? std::string(name) : fmt::format("{}.{}", place_, name)};
    }

    // Refuses what is no object, or has members of other names.
    void only(std::initializer_list<std::string_view> names) const
    {
        object();
        for (const auto& [name, value] : json_.items())
            if (std::find(names.begin(), names.end(), name) == names.end())
                refuse(fmt::format("has a member \"{}\", which means nothing there",
                                   name.substr(0, most_shown)));
    }

    std::vector<Value> list(std::size_t most) const
    {
        if (!json_.is_array()) refuse("is not a list");
        if (json_.size() > most) refuse(fmt::format("has {} members, more than {}", json_.size(), most));
        std::vector<Value> all;
        for (std::size_t one = 0; one < json_.size(); ++one)
            all.emplace_back(path_, json_[one], fmt::format("{}[{}]", place_, one));
        return all;
    }

    std::string text() const
    {
        if (!json_.is_string()) refuse("is not a text");
        auto text = json_.get<std::string>();
        if (text.size() > most_text_bytes)
            refuse(fmt::format("has {} bytes, more than {}", text.size(), most_text_bytes));
        return text;
    }

    // A name: short, so that tables hold it, and not empty.
    std::string name() const
    {
        std::string name = text();
        if (name.empty() || name.size() > most_shown ||
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-") !=
                std::string::npos)
            refuse(fmt::format("is not a name of 1 to {} letters, digits, and _ . + -", most_shown));
        return name;
    }

    double number() const
    {
        if (!json_.is_number()) refuse("is not a number");
        const double number = json_.get<double>();
        if (!std::isfinite(number)) refuse("is not a finite number");
        return number;
    }

    // Of 0 or more, and up to `most` unless that is 0.
    double amount(double most) const
    {
        const double amount = number();
        if (amount < 0) refuse("is below 0");
        if (most > 0 && amount > most) refuse(fmt::format("is above {}", most));
        return amount;
    }

    double seconds() const
    {
        const double seconds = number();
        if (seconds <= 0) refuse("is not above 0");
        return seconds;
    }

    std::uint64_t whole() const
    {
        if (!json_.is_number_unsigned()) refuse("is not a whole number of 0 or more");
        return json_.get<std::uint64_t>();
    }

  private:
    static constexpr std::size_t most_shown = 40;

    void object() const
    {
        if (!json_.is_object()) refuse("is not an object");
    }

    const std::string& path_;
    const Json& json_;
    std::string place_;
};

Line line_of(const Value& value)
{
    value.only({"intercept", "factor"});
    return {value.at("intercept").number(), value.at("factor").number()};
}

TwoLines lines_of(const Value& value)
{
    value.only({"small", "large"});
    TwoLines lines;
    if (value.has("small")) lines.small = line_of(value.at("small"));
    if (value.has("large")) lines.large = line_of(value.at("large"));
    if (!lines.any()) value.refuse("has neither a line \"small\" nor one \"large\"");
    return lines;
}

ModelErrors errors_of(const Value& value)
{
    value.only({"absolute", "relative", "outliers", "outliers_of_model"});
    ModelErrors errors;
    for (const ErrorMember& member : error_members)
        if (value.has(member.name)) errors.*member.value = value.at(member.name).amount(member.most);
    return errors;
}

TrainedSize size_of(const Value& value)
{
    value.only({"size", "limit", "typical", "operations", "outliers", "outliers_of_model"});
    const TrainedSize one{.size = value.at("size").whole(),
                          .limit = value.at("limit").seconds(),
                          .typical = value.at("typical").seconds(),
                          .operations = value.at("operations").whole(),
                          .outliers = value.at("outliers").whole(),
                          .outliers_of_model = value.at("outliers_of_model").whole()};
    if (one.outliers > one.operations || one.outliers_of_model > one.operations)
        value.refuse("has more outliers than operations");
    return one;
}

IoModel model_of(const Value& value)
{
    value.only({"state", "operation", "memory", "file", "limit", "typical", "errors", "sizes"});
    IoModel model;
    for (const TextMember<IoModel>& member : model_texts) model.*member.value = value.at(member.name).name();
    if (model.operation != "read" && model.operation != "write")
        value.at("operation").refuse("is neither \"read\" nor \"write\"");
    model.limit = lines_of(value.at("limit"));
    if (value.has("typical")) model.typical = lines_of(value.at("typical"));
    if (value.has("errors")) {
        const Value errors = value.at("errors");
        errors.only({"small", "large"});
        if (errors.has("small")) model.small_errors = errors_of(errors.at("small"));
        if (errors.has("large")) model.large_errors = errors_of(errors.at("large"));
    }
    if (!value.has("sizes")) return model;
    for (const Value& one : value.at("sizes").list(most_trained_sizes)) {
        model.sizes.push_back(size_of(one));
        if (model.sizes.size() > 1 && model.sizes.back().size <= model.sizes[model.sizes.size() - 2].size)
            one.refuse("is not above the size before it");
    }
    return model;
}

std::string content_of(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw std::runtime_error(
            fmt::format("{}: cannot be read: {}; name a model file", path, std::strerror(errno)));
    std::string text(most_model_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) throw std::runtime_error(fmt::format("{}: cannot be read; is it a model file?", path));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

Json parsed(const std::string& text, const std::string& path)
{
    if (text.size() > most_model_bytes)
        throw std::runtime_error(fmt::format("{}: larger than any model: {}", path, remedy));
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw std::runtime_error(
            fmt::format("{}: byte {}: this is no JSON; a model is a file that fathom "
                        "model train wrote",
                        path, error.byte));
    } catch (const Json::exception&) {  // a number that no double holds
        throw std::runtime_error(fmt::format("{}: has a number that is out of range: {}", path, remedy));
    }
}

}  // namespace

ModelFile read_model_file(const std::string& path)
{
    return model_of_text(content_of(path), path);
}

ModelFile model_of_text(const std::string& text, const std::string& path)
{
    const Json json = parsed(text, path);
    const Value top(path, json, "");
    if (!json.is_object() || !json.contains("fathom_model"))
        throw std::runtime_error(
            fmt::format("{}: has no \"fathom_model\": this is no model; fathom model train makes one", path));
    if (top.at("fathom_model").whole() != model_version)
        throw std::runtime_error(fmt::format(
            "{}: a model of version {}, this fathom reads version {}: use the fathom that made it, or train "
            "anew",
            path, json["fathom_model"].get<std::uint64_t>(), model_version));
    top.only({"fathom_model", "about", "made", "units", "models"});
    ModelFile file;
    file.about = top.at("about").text();
    const Value made = top.at("made");
    made.only({"host", "kernel", "file_system", "date", "measurement"});
    for (const TextMember<ModelOrigin>& member : origin_texts)
        if (made.has(member.name)) file.made.*member.value = made.at(member.name).text();
    if (top.has("units")) {
        // Units are stated, not chosen: others would be another model.
        for (const auto& [name, unit] : json["units"].items())
            for (const auto& [known, right] : model_units)
                if (name == known && unit != right)
                    top.at("units").at(name).refuse(fmt::format("is not \"{}\"", right));
    }
    std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
    for (const Value& one : top.at("models").list(most_models)) {
        file.models.push_back(model_of(one));
        const IoModel& model = file.models.back();
        if (!seen.emplace(model.state, model.operation, model.memory, model.file).second)
            one.refuse("is there twice: state, operation, memory and file are those of one before it");
    }
    if (file.models.empty()) top.at("models").refuse("is empty");
    return file;
}

}  // namespace fathom
