#!/usr/bin/env python3
"""Checks that data goes one way: each folder includes only the folders to its left, and the libraries it may use."""
import re
import sys
import tempfile
from pathlib import Path

CORE = r"logformat/(?!log/|series/)"
DOCUMENT = r"analyzer/document/[a-z_]+\."
STUDY = rf"analyzer/(job|methods)/|{DOCUMENT}|logformat/"
HEAVY = "fmt/|iostream|sstream|fstream|iomanip|locale|regex|thread|filesystem|format"
STRANGERS = "CLI/|nlohmann/|cairo|pango|gsl/|soci/|catch2/"
DRAWING = "CLI/|cairo|pango|Eigen/|soci/"

# From the ground up: files of a room, files of ours that they may include, headers of others that they may not; the first
# row that fits. A file that no row names is an error too.
LAYERS = [
    (r"logformat/series/", rf"logformat/series/|{CORE}", f"{STRANGERS}|Eigen/"),
    (CORE, CORE, f"{HEAVY}|{STRANGERS}|Eigen/|string$|vector|map|set|functional|stdexcept"),
    (r"logformat/series/", r"logformat/series/", f"{STRANGERS}|Eigen/"),
    (r"logformat/log/", CORE + r"|logformat/log/", f"{STRANGERS}|Eigen/"),
    (r"libinterpose/system/", rf"libinterpose/system/|{CORE}", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/recording/", rf"libinterpose/(system|recording)/|{CORE}", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/mpi/", rf"libinterpose/(system|recording|mpi)/|{CORE}", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/pending/", rf"libinterpose/(system|recording|pending)/|{CORE}", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/libraries/", rf"libinterpose/(system|recording|libraries)/|{CORE}", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/operations/", rf"libinterpose/(?!hooks)|{CORE}", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/hooks/", rf"libinterpose/|{CORE}", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"parsers/database/", r"parsers/database/", r"CLI/|cairo|pango|Eigen/|nlohmann/"),
    (r"parsers/series/", r"parsers/(series|database)/|logformat/(series|log)/", DRAWING),
    (r"parsers/", r"parsers/|logformat/", DRAWING),
    (r"analyzer/methods/", r"analyzer/methods/", STRANGERS),
    (DOCUMENT, DOCUMENT, r"CLI/|Eigen/|cairo|pango"),
    (r"analyzer/document/drawing/", rf"analyzer/document/drawing/|{DOCUMENT}", r"CLI/|Eigen/|nlohmann/"),
    (r"analyzer/document/renderers/", r"analyzer/document/", r"CLI/|Eigen/"),
    (r"analyzer/output/", rf"analyzer/output/|{DOCUMENT}|logformat/log/(tick|new_file)\.", DRAWING),
    (r"analyzer/job/", STUDY, rf"{DRAWING}|nlohmann/"),
    (r"analyzer/timing/operations/", rf"analyzer/timing/operations/|parsers/|{STUDY}", rf"{DRAWING}|nlohmann/"),
    (r"analyzer/timing/clusters/", rf"analyzer/timing/(clusters|operations)/|{STUDY}", rf"{DRAWING}|nlohmann/"),
    (r"analyzer/timing/models/", rf"analyzer/timing/(models|operations)/|parsers/|{STUDY}", DRAWING),
    (r"analyzer/timing/probe/", rf"analyzer/(timing/probe|methods)/|{DOCUMENT}|logformat/", rf"{DRAWING}|nlohmann/"),
    (r"analyzer/timing/measure/", rf"analyzer/(timing/measure|methods)/|analyzer/output/progress\.|{DOCUMENT}|parsers/csv/|logformat/log/(tick|new_file)\.",
     DRAWING),
    (r"analyzer/timing/states/", rf"analyzer/(timing/states|methods)/|{DOCUMENT}|parsers/csv/|logformat/log/tick\.", DRAWING),
    (r"analyzer/findings/", rf"analyzer/findings/|{STUDY}", rf"{DRAWING}|fstream"),
    (r"analyzer/sections/", rf"analyzer/sections/|analyzer/timing/clusters/cluster_words\.|{STUDY}", rf"{DRAWING}|fstream"),
    (r"analyzer/book/", rf"analyzer/(book|sections|findings)/|analyzer/timing/models/|{STUDY}", DRAWING),
    (r"analyzer/compare/", rf"analyzer/(compare|findings)/|parsers/|{STUDY}", DRAWING),
    (r"analyzer/many/", rf"analyzer/(many|findings)/|parsers/|{STUDY}", DRAWING),
    (r"analyzer/jobs/schema/", rf"analyzer/jobs/schema/|parsers/database/|{DOCUMENT}|logformat/", DRAWING),
    (r"analyzer/jobs/entry/", rf"analyzer/jobs/(schema|entry)/|analyzer/(book/verdict\.|many/row\.|findings/)|{STUDY}", DRAWING),
    (r"analyzer/jobs/store/", rf"parsers/database/|analyzer/jobs/(schema|entry|store)/|{DOCUMENT}", DRAWING),
    (r"analyzer/jobs/add/", rf"analyzer/jobs/(?!study|list)|analyzer/(many|projects)/|parsers/database/|{STUDY}", DRAWING),
    (r"analyzer/jobs/accounting/", rf"parsers/database/|analyzer/jobs/(schema|store|accounting)/|{DOCUMENT}|logformat/log/tick\.", DRAWING),
    (r"analyzer/jobs/list/", rf"parsers/database/|analyzer/jobs/(schema|entry|store|list)/|analyzer/many/|{STUDY}", DRAWING),
    (r"analyzer/jobs/study/", rf"parsers/database/|analyzer/jobs/(schema|list|study)/|analyzer/methods/|{DOCUMENT}|logformat/", DRAWING),
    (r"analyzer/neighbours/", rf"analyzer/(neighbours|jobs/(schema|entry|store|list))/|parsers/(database/|open\.)|{STUDY}",
     DRAWING),
    (r"analyzer/slowdown/", rf"parsers/database/|analyzer/(slowdown|history|neighbours)/|analyzer/jobs/(schema|entry|store)/|analyzer/(job|methods)/|{DOCUMENT}|logformat/",
     rf"{DRAWING}|nlohmann/|fstream"),
    (r"analyzer/history/report/",
     rf"parsers/database/|analyzer/history/|analyzer/jobs/(schema|list)/|analyzer/methods/|analyzer/(job|sections/slowdown)/slowdown\.|{DOCUMENT}|logformat/", rf"{DRAWING}|nlohmann/|fstream"),
    (r"analyzer/history/", rf"parsers/database/|analyzer/history/(?!report)|analyzer/jobs/(schema|list|store|entry)/|analyzer/methods/|{DOCUMENT}|logformat/",
     rf"{DRAWING}|nlohmann/|fstream"),
    (r"analyzer/system/", rf"analyzer/(system/|series/(bins|by_component)\.)|{STUDY}", rf"{DRAWING}|nlohmann/|fstream"),
    (r"analyzer/series/report/", rf"analyzer/series/(report/|bins\.|by_component\.)|{DOCUMENT}|logformat/(series/|log/tick\.)", rf"{DRAWING}|nlohmann/|fstream"),
    (r"analyzer/series/", rf"analyzer/series/(?!report)|{DOCUMENT}|parsers/(series|database)/|logformat/", DRAWING),
    (r"analyzer/projects/", rf"analyzer/projects/|{DOCUMENT}", rf"{DRAWING}|nlohmann/"),
    (r"analyzer/scan/walk/", rf"analyzer/scan/walk/|{DOCUMENT}", rf"{DRAWING}|nlohmann/|zlib"),
    (r"analyzer/scan/count/", r"analyzer/(scan/(walk|count)|projects)/|logformat/path_id\.", rf"{DRAWING}|nlohmann/|zlib|thread"),
    (r"analyzer/scan/file/", rf"analyzer/(scan/(walk|count|file)|projects)/|{DOCUMENT}|logformat/", rf"{DRAWING}|nlohmann/|thread"),
    (r"analyzer/scan/run/", r"analyzer/scan/(walk|count|file|run)/|logformat/(log/tick|version)\.", rf"{DRAWING}|nlohmann/"),
    (r"analyzer/scan/document/", rf"analyzer/scan/(count|file|document)/|{DOCUMENT}", rf"{DRAWING}|nlohmann/|thread"),
    (r"analyzer/convert/", r"analyzer/convert/|parsers/|logformat/", DRAWING),
    (r"analyzer/dump/", rf"analyzer/dump/|{DOCUMENT}|parsers/|logformat/", DRAWING),
    (r"analyzer/record/", r"analyzer/record/|logformat/", DRAWING),
    (r"analyzer/watch/", rf"analyzer/(watch|record|job)/|analyzer/document/drawing/layout\.|analyzer/methods/rate\.|{DOCUMENT}|logformat/", "CLI/|cairo|pango|Eigen/|soci/"),
    (r"analyzer/running/", rf"analyzer/(running|watch)/|analyzer/jobs/schema/|parsers/database/|{DOCUMENT}|logformat/", rf"{DRAWING}|nlohmann/|fstream"),
    (r"analyzer/serve/http/", r"analyzer/serve/http/", f"{STRANGERS}|Eigen/"),
    (r"analyzer/serve/", rf"analyzer/(serve|running|watch|system|series|slowdown|history|neighbours|many|findings|book)/|analyzer/jobs/(schema|entry|store|list|study)/"
     rf"|analyzer/document/renderers/|parsers/(database/|open\.)|{STUDY}", rf"{DRAWING}|nlohmann/|httplib|fstream"),
    (r"analyzer/monitor/", r"analyzer/monitor/|logformat/(series/|version\.)", rf"{DRAWING}|nlohmann/|fmt/|fstream|iostream"),
    (r"analyzer/manual/", r"analyzer/(manual/|commands/command_line\.h)", rf"{DRAWING}|nlohmann/|fstream"),
    (r"analyzer/commands/command_line\.cpp", r"analyzer/(commands/(command_line|nearest)\.|output)", r"Eigen/|cairo|pango"),
    (r"analyzer/(commands/|main\.)", r"analyzer/|parsers/|logformat/", DRAWING),
]

# Violations: of what a room may include (file, what it includes); the last ones lie in no room.
VIOLATIONS = [
    ("logformat/blocks/bytes.h", '"logformat/log/log.h"'),
    ("logformat/blocks/encode.cpp", "<fmt/format.h>"),
    ("logformat/rows.h", "<string>"),
    ("logformat/log/reader.cpp", '"parsers/dataset.h"'),
    ("libinterpose/hooks/hooks.cpp", '"logformat/log/log.h"'),
    ("libinterpose/hooks/hooks.cpp", "<iostream>"),
    ("libinterpose/operations/operations.h", '"libinterpose/hooks/hook.h"'),
    ("libinterpose/pending/rings.cpp", '"libinterpose/operations/operations.h"'),
    ("libinterpose/mpi/gather.cpp", '"libinterpose/pending/rings.h"'),
    ("libinterpose/recording/recorder.h", '"libinterpose/pending/unfinished.h"'),
    ("libinterpose/recording/session.cpp", '"libinterpose/mpi/mpi_library.h"'),
    ("libinterpose/system/sys.h", '"libinterpose/recording/session.h"'),
    ("logformat/series/table.cpp", '"logformat/log/log.h"'),
    ("logformat/log/log.cpp", '"logformat/series/table.h"'),
    ("parsers/series/lmt.cpp", '"parsers/csv/csv_file.h"'),
    ("parsers/series/lmt.cpp", "<soci/soci.h>"),
    ("analyzer/series/read.cpp", '"analyzer/job/job.h"'),
    ("parsers/ior.cpp", '"analyzer/methods/rate.h"'),
    ("analyzer/methods/rate.cpp", '"logformat/log/log.h"'),
    ("analyzer/methods/rate_matrix.cpp", '"parsers/csv/csv_file.h"'),
    ("analyzer/document/document.h", '"analyzer/document/drawing/axes.h"'),
    ("analyzer/document/drawing/axes.cpp", '"analyzer/document/renderers/renderers.h"'),
    ("analyzer/document/renderers/html/html.cpp", '"logformat/log/log.h"'),
    ("analyzer/jobs/store/store.cpp", "<soci/soci.h>"),
    ("parsers/database/database.cpp", '"logformat/log/log.h"'),
    ("analyzer/output/message.cpp", '"analyzer/job/job.h"'),
    ("analyzer/job/job.cpp", '"analyzer/sections/sections.h"'),
    ("analyzer/job/job.cpp", '"analyzer/findings/finding.h"'),
    ("analyzer/timing/operations/gather.cpp", '"analyzer/timing/clusters/clusters.h"'),
    ("analyzer/timing/clusters/plots.cpp", '"analyzer/commands/report_output.h"'),
    ("analyzer/timing/clusters/plots.cpp", "<cairo.h>"),
    ("analyzer/timing/probe/lane.cpp", '"analyzer/output/message.h"'),
    ("analyzer/timing/measure/plan.cpp", '"analyzer/commands/measure_options.h"'),
    ("analyzer/timing/measure/results.cpp", '"parsers/open.h"'),
    ("analyzer/timing/models/judge.cpp", '"analyzer/sections/sections.h"'),
    ("analyzer/timing/states/analysis.cpp", '"parsers/open.h"'),
    ("analyzer/timing/states/analysis.cpp", "<Eigen/Core>"),
    ("analyzer/findings/bursts.cpp", '"analyzer/sections/sections.h"'),
    ("analyzer/sections/files/io_modes.cpp", '"analyzer/findings/finding.h"'),
    ("analyzer/sections/files/io_modes.cpp", '"analyzer/book/book.h"'),
    ("analyzer/sections/files/io_modes.cpp", "<cairo.h>"),
    ("analyzer/book/book.cpp", '"analyzer/commands/report_output.h"'),
    ("analyzer/compare/roles.cpp", '"analyzer/book/book.h"'),
    ("analyzer/many/gather.cpp", '"analyzer/output/progress.h"'),
    ("analyzer/projects/rules.cpp", '"parsers/database/database.h"'),
    ("analyzer/scan/walk/walk.cpp", '"analyzer/scan/count/counts.h"'),
    ("analyzer/scan/count/counts.cpp", '"analyzer/scan/file/scan.h"'),
    ("analyzer/scan/file/scan.cpp", '"analyzer/scan/run/run.h"'),
    ("analyzer/scan/run/run.cpp", '"analyzer/output/progress.h"'),
    ("analyzer/scan/document/sizes.cpp", '"analyzer/scan/walk/walk.h"'),
    ("analyzer/neighbours/beside.cpp", '"analyzer/jobs/study/study.h"'),
    ("analyzer/system/matching.cpp", '"analyzer/series/read.h"'),
    ("analyzer/series/report/load.cpp", '"analyzer/series/read.h"'),
    ("analyzer/series/report/load.cpp", '"parsers/series/source.h"'),
    ("analyzer/series/bins.cpp", '"analyzer/series/report/report.h"'),
    ("analyzer/history/course.cpp", '"analyzer/history/report/report.h"'),
    ("analyzer/history/report/report.cpp", '"analyzer/job/job.h"'),
    ("analyzer/running/tally.cpp", '"analyzer/serve/view.h"'),
    ("analyzer/slowdown/explain.cpp", '"analyzer/series/read.h"'),
    ("analyzer/convert/only_file.cpp", '"analyzer/job/job.h"'),
    ("analyzer/dump/text.cpp", '"analyzer/job/job.h"'),
    ("analyzer/record/spool.cpp", '"analyzer/job/job.h"'),
    ("analyzer/commands/report.cpp", '"libinterpose/recording/recorder.h"'),
    ("analyzer/commands/report.cpp", "<Eigen/Dense>"),
    ("analyzer/commands/report.cpp", "<CLI/CLI.hpp>"),
    ("analyzer/commands/command_line.h", "<CLI/App.hpp>"),
    ("analyzer/commands/command_line.cpp", '"analyzer/commands/commands.h"'),
    ("analyzer/manual/man_page.cpp", '"analyzer/commands/commands.h"'),
    ("analyzer/main.cpp", "<CLI/CLI.hpp>"),
    ("analyzer/record/spool.cpp", "<CLI/CLI.hpp>"),
    ("analyzer/studies/new.cpp", "<vector>"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(<[^>]+>|"[^"]+")', re.MULTILINE)


def layer_of(path):
    return next((layer for layer in LAYERS if re.match(layer[0], path)), None)


def trouble_with(root, file):
    """Sentences on the includes of one file that its layer may not have."""
    path = file.relative_to(root).as_posix()
    layer = layer_of(path)
    if layer is None:
        yield f"{path}: no row of LAYERS says what this folder may include"
        return
    _, ours, strangers = layer
    for written in INCLUDE.findall(file.read_text(errors="replace")):
        name = written[1:-1]
        if written[0] == '"':
            beside = (file.parent / name).resolve()
            if beside.is_file() and not (root / name).is_file():
                name = beside.relative_to(root.resolve()).as_posix()
            if not re.match(ours, name):
                yield f"{path} includes {written}: its layer may include {ours} of ours"
        elif re.match(strangers, name):
            yield f"{path} includes {written}, which its layer may not"


def check(root):
    files = [file for folder in ("logformat", "libinterpose", "parsers", "analyzer")
             for file in sorted((root / folder).rglob("*")) if file.suffix in (".h", ".hpp", ".c", ".cpp", ".inc")]
    return [sentence for file in files for sentence in trouble_with(root, file)], len(files)


def self_test():
    missed = 0
    for path, included in VIOLATIONS:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, path)
            file.parent.mkdir(parents=True)
            file.write_text(f"#include <cstdint>\n#include {included}\n")
            if len(check(Path(folder))[0]) != 1:
                print(f"not noticed: {path} includes {included}")
                missed += 1
    return missed


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if len(sys.argv) != 2:
        print("usage: check_layers.py PROJECT_FOLDER | --self-test", file=sys.stderr)
        return 2
    sentences, files = check(Path(sys.argv[1]))
    for sentence in sentences:
        print(sentence)
    print(f"{files} files checked, {len(sentences)} violations")
    return 1 if sentences or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
