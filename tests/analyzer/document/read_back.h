// Reads reports back: their words, and whether numbers stand among them.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/document/renderers/renderers.h"
#include "analyzer/document/units.h"
#include "tests/analyzer/temporary.h"
#include "tests/skip.h"

namespace fathom::testing {

inline std::vector<std::string> words_of(const std::string& text)
{
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

// How many words from here on are these letters: pdftotext may leave out the space before a unit. 0: they are
// not.
inline std::size_t words_with(const std::vector<std::string>& words, std::size_t from,
                              const std::string& letters)
{
    std::string there;
    for (std::size_t at = from; at < words.size() && there.size() < letters.size(); ++at) {
        there += words[at];
        if (there == letters) return at + 1 - from;
    }
    return 0;
}

// The first number that does not stand in the words, behind those before it; empty where all do. Texts and
// paths may be wrapped or shortened.
inline std::string first_missing(const std::vector<report::Cell>& cells,
                                 const std::vector<std::string>& words)
{
    std::size_t from = 0;
    for (const report::Cell& cell : cells) {
        if (!report::is_number(cell.measure)) continue;
        std::string letters = report::format(cell);
        std::erase(letters, ' ');
        std::size_t taken = 0;
        while (from < words.size() && (taken = words_with(words, from, letters)) == 0) ++from;
        if (taken == 0) return report::format(cell);
        from += taken;
    }
    return {};
}

inline int run(const std::string& command)
{
    const int status = std::system(command.c_str());
    return status < 0 ? status : status >> 8;
}

// The test is skipped where PDF cannot be read.
inline bool can_read_pdf()
{
    if (run("command -v pdftotext >/dev/null") == 0) return true;
    skip("pdftotext is missing (Debian package poppler-utils)");
    return false;
}

inline std::string pdf_text(const report::Document& document)
{
    const Temporary folder;
    std::ofstream(folder.path("r.pdf"), std::ios::binary)
        << report::renderer_of_format("pdf")->render(document, {});
    REQUIRE(run("pdftotext -layout " + folder.path("r.pdf") + " " + folder.path("r.txt")) == 0);
    std::ifstream in(folder.path("r.txt"));
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace fathom::testing
