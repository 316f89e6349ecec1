// Every counter of every record of a Darshan log, as its own tool prints them.
#include "analyzer/dump/darshan_text.h"

#include <optional>
#include <utility>

#include "analyzer/dump/darshan_lines.h"
#include "analyzer/dump/darshan_totals.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using darshan::Module;

// A text that is copied in steps of 32 bytes: there is some more behind it, which the next one overwrites.
class Stepped {
  public:
    static constexpr std::size_t step = 32;

    void operator=(std::string_view text)
    {
        bytes_.assign(text);
        bytes_.append(step, ' ');
    }
    std::size_t size() const { return bytes_.size() - step; }
    // `to` has room for as much and a step more.
    char* copy(char* to) const
    {
        for (std::size_t at = 0; at < size(); at += step) std::memcpy(to + at, bytes_.data() + at, step);
        return to + size();
    }

  private:
    std::string bytes_ = std::string(step, ' ');
};

// What comes before and after the counter's name and value in each line of a record. The end of a line and
// the beginning of the next are one text, so that end() takes back the beginning of a line that does not
// come.
class RecordLines {
  public:
    RecordLines(const darshan::File& file, const DarshanMounts& mounts, Module module, DarshanLines& out)
        : file_(file), mounts_(mounts), module_(module), out_(out)
    {}

    void begin(std::int64_t rank, std::uint64_t id)
    {
        line_ = "\t";
        std::string_view name = file_.name_of(id);
        if (name.empty() && module_ == Module::bgq) name = "darshan-bgq-record";
        const darshan::MountEntry* const mount = mounts_.of(name);
        line_ += name;
        line_ += '\t';
        line_ += mount ? std::string_view(mount->path) : "UNKNOWN";
        line_ += '\t';
        line_ += mount ? std::string_view(mount->type) : "UNKNOWN";
        line_ += '\n';
        const std::size_t head = line_.size();
        line_ += name_of(module_);
        line_ += '\t';
        add_number(rank);
        line_ += '\t';
        add_number(id);
        line_ += '\t';
        between_ = line_;
        out_.add(std::string_view(line_).substr(head));
        head_size_ = line_.size() - head;
    }
    void end() { out_.take_back(head_size_); }

    template <class Value>
    void line(std::string_view counter, Value value)
    {
        label_ = counter;
        line_with(label_, value);
    }
    // With the label as it is, and a tab behind it.
    template <class Value>
    void line_with(const Stepped& label, Value value)
    {
        char* to = label.copy(out_.room(label.size() + longest_number + between_.size() + 2 * Stepped::step));
        if constexpr (std::is_floating_point_v<Value>) {
            to += print_real(to, value, 6);
        } else if constexpr (std::is_integral_v<Value>) {
            if (value == 0)
                *to++ = '0';  // as most are
            else
                to = std::to_chars(to, to + longest_number, value).ptr;
        } else {
            out_.end_at(to);
            out_.add(value);
            to = out_.room(between_.size() + Stepped::step);
        }
        out_.end_at(between_.copy(to));
    }

    // The same for a counter whose name ends in a number.
    void line(std::string_view counter, std::size_t number, std::int64_t value)
    {
        line(fmt::format("{}{}\t", counter, number), value);
    }

  private:
    static constexpr std::size_t longest_number = 400;

    template <class Whole>
    void add_number(Whole value)
    {
        char digits[24];
        line_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }

    const darshan::File& file_;
    const DarshanMounts& mounts_;
    const Module module_;
    DarshanLines& out_;
    std::string line_;
    Stepped between_, label_;
    std::size_t head_size_ = 0;
};

// Of a module's counters; in_lines with a tab behind them.
struct Labels {
    struct Label {
        std::string name;
        Stepped in_lines;
        bool is_id = false;  // unsigned
    };
    std::vector<Label> numbers, times;

    explicit Labels(const darshan::Counters& counters)
    {
        const auto add = [](std::vector<Label>& labels, std::string name, bool is_id) {
            labels.push_back({std::move(name), {}, is_id});
            labels.back().in_lines = labels.back().name + '\t';
        };
        for (const std::string_view name : counters.numbers)
            add(numbers, fmt::format("{}{}", counters.prefix, name), name == "RENAMED_FROM");
        for (const std::string_view name : counters.times)
            add(times, fmt::format("{}F_{}", counters.prefix, name), false);
    }
};

void add_totals(const Labels& labels, const DarshanTotals& totals, DarshanLines& out)
{
    out.add("\n");
    for (std::size_t at = 0; at < labels.numbers.size(); ++at)
        out.line("total_{}: {}", labels.numbers[at].name, totals.numbers()[at]);
    for (std::size_t at = 0; at < labels.times.size(); ++at)
        out.line("total_{}: {:f}", labels.times[at].name, totals.times()[at]);

    const DarshanCategories categories = totals.categories();
    out.line("\n# Total file counts\n# -----");
    out.line("# <file_type> <file_count> <total_bytes> <max_byte_offset>");
    const auto category = [&](std::string_view name, const DarshanCategory& one) {
        out.line("# {}: {} {} {}", name, one.files, one.bytes, one.max_offset);
    };
    category("total", categories.all);
    category("read_only", categories.read_only);
    category("write_only", categories.write_only);
    category("read_write", categories.read_write);
    category("unique", categories.unique);
    category("shared", categories.shared);

    const DarshanPerformance performance = totals.performance();
    out.line("\n# performance\n# -----------");
    out.line("# total_bytes: {}\n#", performance.bytes);
    out.line("# I/O timing for unique files (seconds):\n# ...........................");
    out.line("# unique files: slowest_rank_io_time: {:f}", performance.unique);
    out.line("# unique files: slowest_rank_meta_only_time: {:f}", performance.unique_metadata);
    out.line("# unique files: slowest_rank_rw_only_time: {:f}", performance.unique_transfers);
    out.line("# unique files: slowest_rank: {}\n#", performance.slowest_rank);
    out.line("# I/O timing for shared files (seconds):\n# ...........................");
    out.line("# shared files: time_by_slowest: {:f}\n#", performance.shared);
    out.line(
        "# Aggregate performance, including both shared and unique files:\n# ...........................");
    out.line("# agg_time_by_slowest: {:f} # seconds", performance.time());
    out.line("# agg_perf_by_slowest: {:f} # MiB/s", performance.rate());
}

bool has_totals(Module module)
{
    return module == Module::posix || module == Module::mpiio || module == Module::stdio;
}

darshan::Problem add_counters(const darshan::File& file, const darshan::Counters& counters,
                              RecordLines& lines, DarshanLines& out)
{
    const Labels labels(counters);
    std::optional<DarshanTotals> totals;
    if (has_totals(counters.module)) totals.emplace(counters).expect_files(file.names().size());
    const auto problem = file.each_record(counters.module, [&](const darshan::CounterRecord& record) {
        lines.begin(record.rank, record.id);
        for (std::size_t at = 0; at < labels.numbers.size(); ++at) {
            const Labels::Label& label = labels.numbers[at];
            if (label.is_id)
                lines.line_with(label.in_lines, static_cast<std::uint64_t>(record.numbers[at]));
            else
                lines.line_with(label.in_lines, record.numbers[at]);
        }
        for (std::size_t at = 0; at < labels.times.size(); ++at)
            lines.line_with(labels.times[at].in_lines, record.times[at]);
        if (counters.has_container)
            lines.line(fmt::format("{}FILE_REC_ID\t", counters.prefix), record.container);
        lines.end();
        if (totals) totals->add(record);
        return out.open();
    });
    if (totals && out.open()) add_totals(labels, *totals, out);
    return problem;
}

std::string_view pattern_name(std::int64_t pattern)
{
    switch (pattern) {
        case 0:
            return "raid0";
        case 2:
            return "mdt";
        case 4:
            return "raid0,overstriped";
        case 8:
            return "foreign";
        default:
            return "N/A";
    }
}

std::string flag_names(std::int64_t flags)
{
    // The flags of a component, in the order of their bits (LCME_FL_… of Lustre).
    constexpr std::string_view names[] = {"stale",     "prefrd", "prefwr",   "offline", "init",    "nosync",
                                          "extension", "parity", "compress", "partial", "nocompr", "neg"};
    if (flags == -1) return "N/A";
    std::string text;
    for (std::size_t bit = 0; bit < std::size(names); ++bit)
        if ((static_cast<std::uint64_t>(flags) >> bit & 1) != 0) add_to_list(text, names[bit], ",");
    return text.empty() ? "0" : text;
}

darshan::Problem add_lustre(const darshan::File& file, RecordLines& lines, DarshanLines& out)
{
    return file.each_lustre([&](const darshan::LustreRecord& record) {
        lines.begin(record.rank, record.id);
        lines.line("LUSTRE_NUM_COMPONENTS\t", record.components.size());
        lines.line("LUSTRE_NUM_STRIPES\t", record.osts.size());
        std::size_t ost = 0;
        for (std::size_t at = 0; at < record.components.size(); ++at) {
            const darshan::LustreComponent& component = record.components[at];
            const auto field = [&](std::string_view name, auto value) {
                lines.line(fmt::format("LUSTRE_COMP{}_{}\t", at + 1, name), value);
            };
            field("STRIPE_SIZE", component.stripe_size);
            field("STRIPE_COUNT", component.stripe_count);
            field("STRIPE_PATTERN", pattern_name(component.pattern));
            field("FLAGS", std::string_view(flag_names(component.flags)));
            field("EXT_START", component.extent_start);
            field("EXT_END", component.extent_end);
            field("MIRROR_ID", component.mirror);
            field("POOL_NAME", component.pool.empty() ? std::string_view("N/A") : component.pool);
            const std::string ost_label = fmt::format("LUSTRE_COMP{}_OST_ID_", at + 1);
            for (std::size_t stripe = 0;
                 static_cast<std::int64_t>(stripe) < component.stripe_count && ost < record.osts.size();
                 ++stripe)
                lines.line(ost_label, stripe, record.osts[ost++]);
        }
        lines.end();
        return out.open();
    });
}

darshan::Problem add_heatmap(const darshan::File& file, RecordLines& lines, DarshanLines& out)
{
    return file.each_heatmap([&](const darshan::HeatmapRecord& record) {
        lines.begin(record.rank, record.id);
        lines.line("HEATMAP_F_BIN_WIDTH_SECONDS\t", record.bin_seconds);
        for (std::size_t bin = 0; bin < record.reads.size(); ++bin)
            lines.line("HEATMAP_READ_BIN_", bin, record.reads[bin]);
        for (std::size_t bin = 0; bin < record.writes.size(); ++bin)
            lines.line("HEATMAP_WRITE_BIN_", bin, record.writes[bin]);
        lines.end();
        return out.open();
    });
}

}  // namespace

std::vector<std::string> dump_darshan_text(const darshan::File& file, const Sink& sink)
{
    std::vector<std::string> problems = file.problems();
    DarshanLines out(sink);
    const DarshanMounts mounts(file.job());
    add_darshan_head(file, mounts, out);
    if (file.modules().empty()) out.line("\n# no module data available.");
    for (const darshan::ModuleRegion& module : file.modules()) {
        if (module.module == Module::dxt_posix || module.module == Module::dxt_mpiio) continue;
        const darshan::Counters* const counters = darshan::counters_of(module.module);
        if (counters == nullptr && module.module != Module::lustre && module.module != Module::heatmap) {
            problems.push_back(fmt::format("module {} is not one that fathom reads: it was passed over",
                                           module.module == Module::none
                                               ? fmt::to_string(module.slot)
                                               : std::string(name_of(module.module))));
            continue;
        }
        out.line("\n# *******************************************************");
        out.line("# {} module data", name_of(module.module));
        out.line("# *******************************************************");
        if (module.partial) add_darshan_incomplete(name_of(module.module), out);
        out.line("\n#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>");
        RecordLines lines(file, mounts, module.module, out);
        darshan::Problem problem = counters != nullptr ? add_counters(file, *counters, lines, out)
                                   : module.module == Module::lustre ? add_lustre(file, lines, out)
                                                                     : add_heatmap(file, lines, out);
        if (!problem.empty()) problems.push_back(std::move(problem));
        if (!out.open()) break;
    }
    return problems;
}

}  // namespace fathom
