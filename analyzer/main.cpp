// `fathom`: runs the command, and turns whatever goes wrong into one line and an exit status.
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "analyzer/commands/commands.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "parsers/database/passwords.h"

namespace {

int complain(std::string_view what, int status)
{
    fathom::tell(what);
    return status;
}

// Whatever goes wrong becomes one line and an exit status.
int run_and_complain(int argc, char** argv)
{
    fathom::keep_standard_streams();
    try {
        return fathom::run_command_line(fathom::fathom_itself(), argc, argv);
    } catch (const fathom::BadUsage& error) {
        return complain(error.what(), fathom::exit_bad_usage);
    } catch (const std::bad_alloc&) {
        return complain("out of memory; nothing was written", fathom::exit_failed);
    } catch (const std::exception& error) {
        return complain(error.what(), fathom::exit_failed);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> words(argv, argv + argc);
    fathom::hide_passwords(argc, argv);
    std::vector<char*> kept;
    for (std::string& word : words) kept.push_back(word.data());
    kept.push_back(nullptr);
    return run_and_complain(argc, kept.data());
}
