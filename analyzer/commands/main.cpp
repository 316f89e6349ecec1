// `fathom-commands`: what `fathom` becomes for all commands but `record` and `dump`.
#include "analyzer/commands/commands.h"
#include "analyzer/commands/program.h"

int main(int argc, char** argv)
{
    return fathom::run_program(fathom::fathom_itself(), argc, argv);
}
