// The parts of a log of ours, each of which becomes a module or two of Darshan.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "parsers/darshan/log_view.h"
#include "parsers/darshan/writer.h"

namespace fathom::darshan {

// The names of heatmaps, by layer.
inline constexpr std::string_view heatmap_names[layers] = {"heatmap:POSIX", "heatmap:STDIO", "heatmap:MPIIO"};

// The layers that have one.
std::array<bool, layers> layers_with_bytes(const LogView& view);

// What has no place in a log of Darshan.
class Losses {
  public:
    void add(std::string sentence) { sentences_.push_back(std::move(sentence)); }
    void add(std::vector<std::string> sentences)
    {
        for (std::string& sentence : sentences) add(std::move(sentence));
    }
    std::vector<std::string> sentences() && { return std::move(sentences_); }

  private:
    std::vector<std::string> sentences_;
};

JobRecord job_of(const LogView& view);
void write_names(const LogView& view, Writer& writer);
void write_posix(const LogView& view, Writer& writer, Losses& losses);
void write_stdio(const LogView& view, Writer& writer, Losses& losses);
void write_mpiio(const LogView& view, Writer& writer, Losses& losses);
// Records of one of HDF5's and PnetCDF's modules, of what the log has of its own.
void write_library(const LogView& view, Module module, Writer& writer);
void write_libraries(const LogView& view, Writer& writer, Losses& losses);
void write_layouts(const LogView& view, Writer& writer, Losses& losses);
void write_trace(const LogView& view, Writer& writer, Losses& losses);
void write_heatmap(const LogView& view, Writer& writer, Losses& losses);
// Of processes that are no ranks, and of records that are of no file.
void add_left_out(const LogView& view, Losses& losses);
// Of the tables and facts that no module is made of, and of the job's texts.
void add_other_losses(const LogView& view, const JobText& text, Losses& losses);

void add_job_losses(const JobText& text, Losses& losses);

}  // namespace fathom::darshan
