"""What a log says was done to each file: the dump's records, summed over processes."""
import json
import subprocess
from collections import Counter, defaultdict

COUNTERS = ("opens", "closes", "reads", "writes", "bytes_read", "bytes_written", "seeks", "stats", "syncs", "truncates",
            "unlinks", "renames", "links", "directory_changes", "attributes", "advices", "locks")
DIRECTORY = 1


class FathomView:
    def __init__(self, fathom, log):
        text = subprocess.run([fathom, "dump", "--json", log], check=True, capture_output=True, text=True).stdout
        self.dump = json.loads(text)
        self.problems = self.dump["problems"]
        self.tables = self.dump["tables"]
        self.layers = {layer: self.sums(layer) for layer in ("posix", "stdio", "mpiio")}
        self.folders = {name["path"] for name in self.tables["names"] if name["kind"] == DIRECTORY}
        self.files = {name["path"] for name in self.tables["names"] if name["path"].startswith("/")}

    def sums(self, layer):
        counts = defaultdict(Counter)
        for record in self.tables[layer]:
            for counter in COUNTERS:
                counts[record["path"]][counter] += record.get(counter) or 0
        return counts

    def missed(self):
        return sum(process["missed"] for process in self.tables["processes"])
