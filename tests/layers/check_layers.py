#!/usr/bin/env python3
"""Checks that data goes one way: each folder includes only the folders to its left, and the libraries it may use."""
import re
import sys
import tempfile
from pathlib import Path

CORE = ("logformat/(block|bytes|chunk|columns|counters|distinct|duration_bins|encode|excluded|field|kinds|lustre_layout|numbers|options|pack|part|part_rows|"
        "part_times|part_trace|path_id|patterns|predictions|rank_list|rows|slice_rows|tables|timing_chunks|timing_rows|"
        "trace_chunks|trace_code|trace_model|trace_rows|values|"
        "version)")
DOCUMENT = "analyzer/report/(document|document_units|printable|units)\\."
HEAVY = "fmt/|iostream|sstream|fstream|iomanip|locale|regex|thread|filesystem|format"
STRANGERS = "CLI/|nlohmann/|cairo|pango|gsl/|soci/|catch2/"

# (files of the layer, files of ours that it may include, headers of others that it may not); the first row that fits.
LAYERS = [
    (rf"{CORE}\.", rf"{CORE}\.", f"{HEAVY}|{STRANGERS}|Eigen/|string$|vector|map|set|functional|stdexcept"),
    (r"logformat/", r"logformat/", f"{STRANGERS}|Eigen/"),
    (r"libinterpose/system/", rf"libinterpose/system/|{CORE}\.", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/(recording|mpi)/", rf"libinterpose/(system|recording|mpi|pending/unfinished)|{CORE}\.",
     f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/(operations|pending)/", rf"libinterpose/(?!hooks)|{CORE}\.", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"libinterpose/hooks/", rf"libinterpose/|{CORE}\.", f"{HEAVY}|{STRANGERS}|Eigen/"),
    (r"parsers/", r"parsers/|logformat/", r"CLI/|cairo|pango|Eigen/"),
    (r"analyzer/methods/", r"analyzer/methods/", STRANGERS),
    (rf"{DOCUMENT}", rf"{DOCUMENT}", r"CLI/|Eigen/|cairo|pango"),
    (r"analyzer/studies/", rf"analyzer/(studies|methods)/|{DOCUMENT}|parsers/|logformat/", r"CLI/|cairo|pango|Eigen/"),
    (r"analyzer/operations/", rf"analyzer/(operations|studies|methods)/|{DOCUMENT}|parsers/|logformat/",
     r"CLI/|nlohmann/|cairo|pango|Eigen/"),
    (r"analyzer/clusters/", rf"analyzer/(clusters|operations|studies|methods)/|{DOCUMENT}|logformat/",
     r"CLI/|nlohmann/|cairo|pango|Eigen/"),
    (r"analyzer/probe/", rf"analyzer/(probe|methods)/|{DOCUMENT}|logformat/", r"CLI/|nlohmann/|cairo|pango|Eigen/"),
    (r"analyzer/compare/", rf"analyzer/(compare|findings|studies|methods)/|{DOCUMENT}|parsers/|logformat/",
     r"CLI/|cairo|pango|Eigen/"),
    (r"analyzer/many/", rf"analyzer/(many|findings|studies|methods)/|{DOCUMENT}|parsers/|logformat/", r"CLI/|cairo|pango|Eigen/"),
    (r"analyzer/measure/", rf"analyzer/(measure|methods)/|analyzer/output/progress\.|{DOCUMENT}|parsers/csv/|logformat/tick\.",
     r"CLI/|cairo|pango|Eigen/"),
    (r"analyzer/models/", rf"analyzer/(models|operations|studies|methods)/|{DOCUMENT}|parsers/|logformat/", r"CLI/|cairo|pango|Eigen/"),
    (r"analyzer/states/", rf"analyzer/(states|methods)/|{DOCUMENT}|parsers/csv/|logformat/tick", r"CLI/|cairo|pango|Eigen/"),
    (r"analyzer/findings/", rf"analyzer/(findings|studies|methods)/|{DOCUMENT}|logformat/", r"CLI/|cairo|pango|Eigen/|fstream"),
    (r"analyzer/report/", r"analyzer/(report|document)", r"CLI/|Eigen/"),
    (r"analyzer/record/", r"analyzer/record/|logformat/", r"CLI/|Eigen/|cairo|pango"),
    (r"analyzer/commands/command_line\.cpp", r"analyzer/(commands/command_line|output)", r"Eigen/|cairo|pango"),
    (r"analyzer/", r"analyzer/|parsers/|logformat/", r"CLI/|Eigen/"),
]

# One violation of each row: (file, what it includes).
VIOLATIONS = [
    ("logformat/blocks/bytes.h", '"logformat/log/log.h"'),
    ("logformat/blocks/encode.cpp", "<fmt/format.h>"),
    ("logformat/rows.h", "<string>"),
    ("logformat/log/reader.cpp", '"parsers/dataset.h"'),
    ("libinterpose/hooks/hooks.cpp", '"logformat/log/log.h"'),
    ("libinterpose/hooks/hooks.cpp", "<iostream>"),
    ("libinterpose/operations/operations.h", '"libinterpose/hooks/hook.h"'),
    ("libinterpose/recording/recorder.h", '"libinterpose/operations/operations.h"'),
    ("libinterpose/system/sys.h", '"libinterpose/recording/session.h"'),
    ("parsers/ior.cpp", '"analyzer/methods/rate.h"'),
    ("analyzer/methods/rate.cpp", '"logformat/log/log.h"'),
    ("analyzer/studies/modes.cpp", '"analyzer/commands/report.h"'),
    ("analyzer/studies/modes.cpp", "<cairo.h>"),
    ("analyzer/studies/modes.cpp", '"analyzer/findings/finding.h"'),
    ("analyzer/findings/bursts.cpp", '"analyzer/commands/report.h"'),
    ("analyzer/document/renderers/html/html.cpp", '"logformat/log/log.h"'),
    ("analyzer/document/renderers/html/html.cpp", '"analyzer/studies/modes.h"'),
    ("analyzer/compare/roles.cpp", '"analyzer/commands/report_output.h"'),
    ("analyzer/compare/roles.cpp", "<cairo.h>"),
    ("analyzer/many/gather.cpp", '"analyzer/output/progress.h"'),
    ("analyzer/timing/operations/gather.cpp", '"analyzer/timing/clusters/clusters.h"'),
    ("analyzer/timing/clusters/plots.cpp", '"analyzer/commands/report_output.h"'),
    ("analyzer/timing/clusters/plots.cpp", "<cairo.h>"),
    ("analyzer/timing/probe/lane.cpp", '"analyzer/output/message.h"'),
    ("analyzer/timing/measure/plan.cpp", '"analyzer/commands/measure_options.h"'),
    ("analyzer/timing/measure/results.cpp", '"parsers/open.h"'),
    ("analyzer/timing/models/judge.cpp", '"analyzer/commands/report_output.h"'),
    ("analyzer/timing/states/analysis.cpp", '"parsers/open.h"'),
    ("analyzer/timing/states/analysis.cpp", "<Eigen/Core>"),
    ("analyzer/methods/rate_matrix.cpp", '"parsers/csv/csv_file.h"'),
    ("analyzer/record/spool.cpp", '"analyzer/studies/modes.h"'),
    ("analyzer/commands/report.cpp", '"libinterpose/recording/recorder.h"'),
    ("analyzer/commands/report.cpp", "<Eigen/Dense>"),
    ("analyzer/commands/report.cpp", "<CLI/CLI.hpp>"),
    ("analyzer/commands/command_line.h", "<CLI/App.hpp>"),
    ("analyzer/commands/command_line.cpp", '"analyzer/commands/commands.h"'),
    ("analyzer/main.cpp", "<CLI/CLI.hpp>"),
    ("analyzer/record/spool.cpp", "<CLI/CLI.hpp>"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(<[^>]+>|"[^"]+")', re.MULTILINE)


def layer_of(path):
    return next((layer for layer in LAYERS if re.match(layer[0], path)), None)


def trouble_with(root, file):
    """Sentences on the includes of one file that its layer may not have."""
    path = file.relative_to(root).as_posix()
    layer = layer_of(path)
    if layer is None:
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
