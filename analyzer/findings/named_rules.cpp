// * stands for any letters.
#include "analyzer/findings/named_rules.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sstream>
#include <stdexcept>

#include "analyzer/findings/finding.h"
#include "logformat/log/words.h"

namespace fathom {

std::string rules_named(const std::string& said)
{
    std::string found, known;
    for (const FindingRule& rule : finding_rules()) add_to_list(known, rule.id);
    std::istringstream words(said);
    for (std::string word; std::getline(words, word, ',');) {
        const std::size_t before = found.size();
        for (const FindingRule& rule : finding_rules())
            if (fnmatch(word.c_str(), std::string(rule.id).c_str(), 0) == 0) add_to_list(found, rule.id, ",");
        if (found.size() == before)
            throw std::invalid_argument(
                fmt::format("--finding {}: no rule has this name; there are {}", word, known));
    }
    return found;
}

}  // namespace fathom
