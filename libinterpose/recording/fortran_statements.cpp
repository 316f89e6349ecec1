// Counts the outermost of the statements that read or write a file.
#include "libinterpose/recording/fortran_statements.h"

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/recording/thread_chunk.h"

namespace fathom::fortran {
namespace {

// Bits of `flags`.
constexpr std::int32_t list_format = 1 << 7, format = 1 << 12, internal_unit = 1 << 14, namelist = 1 << 15;
// Terminals, as the standard streams are mostly.
constexpr std::int32_t standard_error = 0, standard_input = 5, standard_output = 6;

struct UnderWay {
    std::uint32_t depth = 0;    // statements within statements
    std::uint32_t counted = 0;  // the depth of the one that is counted; 0: none
    std::uint64_t start = 0;
};
thread_local constinit UnderWay under_way __attribute__((tls_model("initial-exec"))) = {};

bool is_of_file(const Statement& statement)
{
    return (statement.flags & internal_unit) == 0 && statement.unit != standard_error &&
           statement.unit != standard_input && statement.unit != standard_output;
}

}  // namespace

void begins(const Statement& statement)
{
    UnderWay& mine = under_way;
    ++mine.depth;
    if (mine.counted != 0 || !is_of_file(statement)) return;
    mine.counted = mine.depth;
    mine.start = now();
}

void ends(const Statement& statement)
{
    UnderWay& mine = under_way;
    if (mine.depth == 0) return;  // one that began before us
    const bool is_counted = mine.counted == mine.depth--;
    if (!is_counted) return;
    mine.counted = 0;
    const std::uint64_t end = now();
    if (!enter()) return;
    auto* const chunk = chunk_of_thread<StatementsChunk>(here.thread->statements, arena.header().statements,
                                                         ChunkKind::statements);
    if (chunk == nullptr) return;
    const bool with_format = (statement.flags & (list_format | format | namelist)) != 0;
    chunk->all.add(statement.file, static_cast<std::uint32_t>(statement.line), with_format, end - mine.start);
    release_place(*here.thread);
}

}  // namespace fathom::fortran
