/* Opens files with and without hints; see tests/e2e/run_hints.py for what must be in the log.
 *
 * usage: mpi_hints FOLDER            files of each kind
 *        mpi_hints FOLDER OPENS      opens one file so often, without hints and with, and as many new files; says how long an open takes
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const char* folder;

static MPI_Info info_of(const char* key, const char* value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    return info;
}

static MPI_File opened(MPI_Comm among, const char* name, MPI_Info info)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    MPI_File file;
    if (MPI_File_open(among, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
    return file;
}

/* Whether the program still finds the hint that it set in its own info, and nothing else. */
static void expect_own(MPI_Info info, const char* key, const char* value)
{
    int keys = 0, flag = 0;
    char got[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info_get_nkeys(info, &keys);
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, got, &flag);
    if (keys != 1 || !flag || snprintf(NULL, 0, "%s", got) != snprintf(NULL, 0, "%s", value)) MPI_Abort(MPI_COMM_WORLD, 2);
}

static void every_kind(int rank)
{
    MPI_File file = opened(MPI_COMM_WORLD, "plain", MPI_INFO_NULL);
    MPI_File_close(&file);

    /* One that is opened without, and gets them later. */
    file = opened(MPI_COMM_WORLD, "later", MPI_INFO_NULL);
    MPI_Info info = info_of("made_up_later", "yes");
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    MPI_File_close(&file);

    /* An open with one hint and one that no library knows; then others, of which the first is set again. */
    info = info_of("cb_nodes", "1");
    MPI_Info_set(info, "made_up;hint", "a=b;c\n");
    file = opened(MPI_COMM_WORLD, "hinted", info);
    MPI_Info_free(&info);
    info = info_of("cb_buffer_size", "1048576");
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", info);
    expect_own(info, "cb_buffer_size", "1048576");
    MPI_Info_free(&info);
    info = info_of("cb_buffer_size", "2097152");
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_close(&file);

    /* A file of each rank's own. */
    char name[64], value[64];
    snprintf(name, sizeof name, "own.%d", rank);
    snprintf(value, sizeof value, "%d", rank + 1);
    info = info_of("made_up_rank", value);
    file = opened(MPI_COMM_SELF, name, info);
    expect_own(info, "made_up_rank", value);
    MPI_File_close(&file);
    MPI_Info_free(&info);

    /* More hints than there is room for, and more sets of them. */
    MPI_Info_create(&info);
    for (int one = 0; one < 100; ++one) {
        snprintf(name, sizeof name, "made_up_%03d", one);
        MPI_Info_set(info, name, "a value of forty letters, or just about so");
    }
    file = opened(MPI_COMM_WORLD, "long", info);
    MPI_File_close(&file);
    MPI_Info_free(&info);
    for (int one = 0; one < 70; ++one) {
        snprintf(name, sizeof name, "many.%03d", one);
        snprintf(value, sizeof value, "%d", one);
        info = info_of("made_up_number", value);
        file = opened(MPI_COMM_WORLD, name, info);
        MPI_File_close(&file);
        MPI_Info_free(&info);
    }
}

static void time_opens(int rank, int opens)
{
    MPI_Info info = info_of("cb_nodes", "1");
    const MPI_Info infos[] = {MPI_INFO_NULL, info, info};
    const char* const names[] = {"one file without hints", "one file with hints", "new files with hints"};
    for (int kind = 0; kind < 3; ++kind) {
        double best = 1e9;
        for (int round = 0; round < 7; ++round) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double start = MPI_Wtime();
            for (int at = 0; at < opens; ++at) {
                char name[64];
                snprintf(name, sizeof name, "timed.%d.%d", kind, kind < 2 ? 0 : round * opens + at);
                MPI_File file = opened(MPI_COMM_WORLD, name, infos[kind]);
                MPI_File_close(&file);
            }
            const double took = (MPI_Wtime() - start) / opens;
            if (took < best) best = took;
        }
        if (rank == 0) printf("%s: %.1f us an open and close\n", names[kind], best * 1e6);
    }
    MPI_Info_free(&info);
}

int main(int argc, char** argv)
{
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    folder = argv[1];
    if (argc > 2)
        time_opens(rank, atoi(argv[2]));
    else
        every_kind(rank);
    MPI_Finalize();
    return 0;
}
