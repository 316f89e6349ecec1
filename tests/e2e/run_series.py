#!/usr/bin/env python3
"""What `fathom devices` reads: real data of a facility beside what Python makes of it; what tools print here beside the bytes of a program that
writes to a device of its own meanwhile.

usage: run_series.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_series.py --list
Exit status 77: the case cannot be set up here.
"""
import collections
import csv
import datetime
import glob
import gzip
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
import urllib.request
from pathlib import Path

import cases
import mariadb
from cases import Skip, case
from loop_device import LoopDevice

FACILITY = os.environ.get("FATHOM_FACILITY", "")
UTC = datetime.timezone.utc


class Place(cases.Place):
    def devices(self, *words):
        return self.run(self.fathom, "devices", "--time-zone", "UTC", *words)

    def samples(self, *files, status=0):
        """All samples as dictionaries, with numbers for times and value."""
        result = self.devices(*files, "-o", "x.csv")
        self.expect_status(result, status)
        if not os.path.exists(self.path("x.csv")):
            return []
        with open(self.path("x.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            for name in ("begin", "end", "value"):
                row[name] = float(row[name])
        return rows

    def expect_close(self, name, got, wanted, part=1e-9):
        self.expect(abs(got - wanted) <= part * max(abs(wanted), 1e-9), f"{name}: {got} instead of {wanted}")


def facility(name):
    path = os.path.join(FACILITY, name)
    if not os.path.exists(path):
        raise Skip(f"no {name} (FATHOM_FACILITY names the folder)")
    return path


def utc(text, form="%Y-%m-%d %H:%M:%S"):
    return datetime.datetime.strptime(text, form).replace(tzinfo=UTC).timestamp()


def summed(rows, *keys):
    sums = collections.defaultdict(float)
    for row in rows:
        sums[tuple(row[key] for key in keys)] += row["value"]
    return sums


# ---- real data ----


def lmt_by_sql(path):
    """(OST, quantity, end) -> amount; and how many samples a table has. Falls leave gaps, zeros before a fall are none."""
    database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    amounts = {}
    for column, quantity in (("READ_BYTES", "bytes_read"), ("WRITE_BYTES", "bytes_written")):
        rows = database.execute(f"""select OST_NAME, TIMESTAMP, {column}, lag(TIMESTAMP) over each_ost, lag({column}) over each_ost
            from OST_DATA join OST_INFO using (OST_ID) join TIMESTAMP_INFO using (TS_ID)
            window each_ost as (partition by OST_ID order by TS_ID)""")
        for ost, stamp, total, _, before in rows:
            if before is not None and total >= before:
                amounts[ost.split("-")[1], quantity, utc(stamp)] = total - before
    operations = database.execute("""select sum(last - first) from (select max(SAMPLES) last, min(SAMPLES) first
        from MDS_OPS_DATA group by MDS_ID, OPERATION_ID)""").fetchone()[0]
    return amounts, operations


def expect_lmt(place, path, source):
    amounts, operations = lmt_by_sql(path)
    rows = place.samples(source)
    got = {(row["component"], row["quantity"], row["end"]): row["value"] for row in rows
           if row["type"] == "ost" and row["quantity"] in ("bytes_read", "bytes_written")}
    place.expect(got == amounts, f"{len(got)} amounts of fathom, {len(amounts)} of SQL; the first that differ: "
                 f"{sorted(set(got.items()) ^ set(amounts.items()))[:4]}")
    place.expect(len(amounts) > 20 and min(got.values(), default=-1) >= 0 and max(got.values(), default=0) < 1e11, "absurd amounts")
    place.expect_close("operations of MDSs", sum(row["value"] for row in rows if row["type"] == "mdt" and row["unit"] in ("operations", "")
                                                 and not row["quantity"].startswith("inodes")), operations)
    database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    for table, type_, quantity, column, factor in (("OST_DATA", "ost", "bytes_free", "KBYTES_FREE", 1024),
                                                   ("OST_DATA", "ost", "inodes_used", "INODES_USED", 1),
                                                   ("MDS_DATA", "mdt", "bytes_used", "KBYTES_USED", 1024),
                                                   ("OSS_DATA", "host", "memory_share", "PCT_MEMORY", 0.01)):
        wanted = database.execute(f"select count(*), sum({column}) from {table}").fetchone()
        mine = [row["value"] for row in rows if row["type"] == type_ and row["quantity"] == quantity]
        place.expect(len(mine) == wanted[0], f"{quantity}: {len(mine)} samples instead of {wanted[0]}")
        place.expect_close(quantity, sum(mine), wanted[1] * factor)


@case("LMT: rates are those of SQL")
def _(place):
    expect_lmt(place, facility("snx11025_2018-01-28.sqlite3"), facility("snx11025_2018-01-28.sqlite3"))


@case("LMT: of a window is read what is partly in it")
def _(place):
    path = facility("snx11025_2018-01-28.sqlite3")
    begin, end = utc("2018-01-28 00:01:02"), utc("2018-01-28 00:03:03")
    inside = {(ost, quantity, stamp): value for (ost, quantity, stamp), value in lmt_by_sql(path)[0].items() if begin < stamp < end + 5}
    rows = place.samples(path, "--since", f"@{begin:.0f}", "--until", f"@{end:.0f}", "--component", "OST*", "--quantity", "bytes_read",
                         "--quantity", "bytes_written")
    place.expect({(row["component"], row["quantity"], row["end"]): row["value"] for row in rows} == inside, f"{len(rows)} instead of {len(inside)}")


@case("LMT: rates are those of SQL where a server was started anew")
def _(place):
    expect_lmt(place, facility("lmtdb-reset.sqlite3"), facility("lmtdb-reset.sqlite3"))


@case("LMT in MySQL is as in SQLite, and its password is not shown")
def _(place):
    path = facility("snx11025_2018-01-28.sqlite3")
    if not mariadb.is_here():
        raise Skip("no mariadb-server")
    keys = ("OST_ID", "OSS_ID", "MDS_ID", "TS_ID", "OPERATION_ID", "FILESYSTEM_ID", "VARIABLE_ID", "SAMPLES", "SUM", "SUMSQUARES", "READ_BYTES",
            "WRITE_BYTES")
    with mariadb.MariaDb() as server:
        source = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
        server.sql("create database lmt; create user anna@localhost identified by 'secret'; grant select on lmt.* to anna@localhost;")
        for (table,) in source.execute("select name from sqlite_master where type = 'table'").fetchall():
            columns = [row[1] for row in source.execute(f"pragma table_info({table})")]
            types = {name: "bigint" if name in keys else "datetime" if name == "TIMESTAMP" else "double" if name[:4] in ("PCT_", "KBYT", "INOD")
                     else "varchar(64)" for name in columns}
            lines = [f"create table {table} ({', '.join(f'`{name}` {types[name]}' for name in columns)});"]
            rows = source.execute(f"select * from {table}").fetchall()
            value = lambda cell: "null" if cell is None else repr(cell)
            lines += [f"insert into {table} values ({','.join(map(value, row))});" for row in rows]
            server.sql("begin;" + "\n".join(lines) + "commit;", "lmt")
        expect_lmt(place, path, server.url("anna", "secret", "lmt"))
        wrong = place.devices(server.url("anna", "wrongone", "lmt"))
        place.expect_status(wrong, 1)
        place.expect_message(wrong, "Access denied", "check the password")
        place.expect("wrongone" not in wrong.stderr, wrong.stderr)
        result = place.run(place.fathom, "jobs", "list", "--db", server.url("anna", "secret", "lmt"))
        place.expect_status(result, 1)


@case("a facility's collectd documents: every value times its interval")
def _(place):
    for name, interval in (("sample_collectdes-part.json.gz", 10), ("collectdes_cpuloads.json.gz", 10)):
        with gzip.open(facility(name), "rt", encoding="utf-8") as file:
            records = {json.dumps(record["_source"], sort_keys=True): record["_source"] for page in json.load(file) for record in page}.values()
        wanted, times = collections.defaultdict(float), collections.defaultdict(list)
        for record in records:
            times[record["hostname"], record.get("plugin_instance"), record["collectd_type"], record.get("type_instance")].append(
                (utc(record["@timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ"), record))
        count = 0
        for (_, _, type_, instance), series in times.items():
            before = 0
            for moment, record in sorted(series, key=lambda one: one[0]):
                seconds = moment - before if moment - before <= 1.5 * interval else interval
                before = moment
                for value in ("read", "write", "value"):
                    if value in record:
                        count += 1
                        if type_ in ("disk_octets", "disk_ops"):
                            wanted[type_, value] += record[value] * seconds
                        elif type_ == "percent":
                            wanted[type_, instance] += record[value] / 100 * seconds
        rows = place.samples(facility(name))
        place.expect(len(rows) == count, f"{name}: {len(rows)} samples instead of {count}")
        hosts = {record["hostname"] for record in records}
        place.expect({row["host"] for row in rows} == hosts, f"{name}: other hosts")
        sums = summed(rows, "quantity")
        for key, quantity in ((("disk_octets", "read"), "bytes_read"), (("disk_octets", "write"), "bytes_written"), (("disk_ops", "read"), "reads"),
                              (("disk_ops", "write"), "writes"), (("percent", "user"), "cpu_user"), (("percent", "idle"), "cpu_idle")):
            place.expect_close(f"{name}: {quantity}", sums[(quantity,)], wanted[key], 1e-6)


@case("a facility's lfs df over time, and a plain one")
def _(place):
    for name in ("sample_ost-fullness.txt.gz", "lfs-df.txt.gz"):
        wanted, targets = collections.Counter(), set()
        moment, moments = os.stat(facility(name)).st_mtime, set()
        with gzip.open(facility(name), "rt", encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if line.startswith("BEGIN"):
                    moment = float(words[1])
                if "_UUID" in line:
                    wanted["bytes_used"] += int(words[2]) * 1024
                    wanted["bytes_free"] += int(words[3]) * 1024
                    wanted["samples"] += 1
                    moments.add(moment)
                    targets.add(words[0].replace("_UUID", ""))
        rows = [row for row in place.samples(facility(name)) if row["type"] in ("ost", "mdt")]
        place.expect(len(rows) == 3 * wanted["samples"], f"{name}: {len(rows)} samples, {wanted['samples']} lines")
        place.expect({f"{row['system']}-{row['component']}" for row in rows} == targets, f"{name}: other targets")
        place.expect({round(row["end"], 3) for row in rows} == {round(moment, 3) for moment in moments}, f"{name}: other times")
        for quantity in ("bytes_used", "bytes_free"):
            place.expect_close(quantity, summed(rows, "quantity")[(quantity,)], wanted[quantity], 1e-12)


@case("a facility's lctl dl -t: the server of each target, also of samples from elsewhere")
def _(place):
    for name in ("lctl-dl-t.txt.gz", "sample_ost-map.txt.gz"):
        servers = collections.defaultdict(set)
        with gzip.open(facility(name), "rt", encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if len(words) == 7 and words[2] in ("osc", "mdc"):
                    servers[re.sub("-(osc|mdc)-.*", "", words[3])].add(words[6])
        place.expect(len(servers) > 100, f"{name}: {len(servers)} targets")
        lines = place.devices(facility(name), "--list").stdout.splitlines()
        place.expect(len(lines) == len(servers), f"{name}: {len(lines)} components instead of {len(servers)}")
        for target, hosts in servers.items():
            system, part = target.rsplit("-", 1)
            line = next((line for line in lines if line.startswith(system + " ") and f" {part} (" in line), "")
            place.expect(len(hosts) == 1 and hosts.pop() in line, f"{target}: {line!r}")
    rows = place.samples(facility("lctl-dl-t.txt.gz"), facility("lfs-df.txt.gz"))
    place.expect(all("@o2ib" in row["host"] for row in rows if row["type"] in ("ost", "mdt")), "space of targets without a host")


def mmperfmon_sums(text):
    """Sums by the source's own metric: legend entries and columns of the tables in their order."""
    units = {"kB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}
    legend, sums, count, first, width = [], collections.Counter(), collections.Counter(), 0, 0
    for line in text.splitlines():
        entry = re.match(r"\s*\d+:\s+(\S+\|\S+)", line)
        if line.startswith("Legend"):
            legend, first, width = [], 0, 0
        elif entry:
            legend.append(entry[1])
        elif line.startswith("Row"):
            first, width = first + width, len(line.split()) - 2
        elif re.match(r"\s*\d+ \d{4}-", line):
            values = re.findall(r"(null|[0-9.]+)(?: ([kMGT]B))?", line.split(None, 2)[2])
            for key, (number, unit) in zip(legend[first:first + width], values, strict=True):
                if number != "null":
                    sums[key.split("|")[-1]] += float(number) * units.get(unit, 1)
                    count[key] += 1
    return sums, count


@case("a facility's mmperfmon, also in an archive: every column's samples and sum")
def _(place):
    texts = {}
    for name in ("mmperfmon-gpfsNumberOperations.txt.gz", "mmperfmon-nsdds.txt.gz", "mmperfmon-usage.txt.gz"):
        with gzip.open(facility(name), "rt", encoding="utf-8") as file:
            texts[name] = [file.read()]
    archive = "mmperfmon.2019-05-15-micro.tgz"
    with tarfile.open(facility(archive)) as members:
        texts[archive] = [members.extractfile(member).read().decode() for member in members if member.isfile()]
    names = {"gpfs_nsdds_bytes_read": "bytes_read", "gpfs_nsdds_bytes_written": "bytes_written", "gpfs_fs_bytes_read": "bytes_read",
             "gpfs_fs_bytes_written": "bytes_written", "gpfs_fs_read_ops": "reads", "gpfs_fs_write_ops": "writes", "mem_total": "memory_total",
             "mem_free": "memory_free", "net_r": "bytes_received", "net_s": "bytes_sent"}
    for name, parts in texts.items():
        wanted, series = collections.Counter(), {}
        for part in parts:
            sums, count = mmperfmon_sums(part)
            for metric, value in sums.items():
                wanted[names.get(metric, metric)] += value
            series.update(count)
        rows = place.samples(facility(name))
        place.expect(len(rows) == sum(series.values()) > 100, f"{name}: {len(rows)} samples instead of {sum(series.values())}")
        got = summed(rows, "quantity")
        for metric, value in wanted.items():
            share = {"cpu_user": "cpu_user_share", "cpu_sys": "cpu_system_share"}.get(metric)
            place.expect_close(f"{name}: {metric}", got[(share or metric,)], value / 100 if share else value, 1e-6)


@case("files that no source knows are named, and what is a job's accounting is left to fathom jobs")
def _(place):
    for name, words in (("sample_nersc_jobsdb.sqlite3", "not one of LMT"), ("darshanlogs.db", "not one of LMT"), ("sample.slurm", "no source is known")):
        result = place.devices(facility(name))
        place.expect_status(result, 1)
        place.expect_message(result, words)


# ---- messages ----


@case("what cannot be read is said, and the rest is read")
def _(place):
    with open(place.path("good"), "w", encoding="utf-8") as file:
        file.write("1500000000\na_total 1\nb_total 2\n1500000010\na_total 5\nb_total 2\n")
    with gzip.open(place.path("cut.gz"), "wb") as file:
        file.write(os.urandom(100000))
    os.truncate(place.path("cut.gz"), 5000)
    with open(place.path("cut.gz"), "r+b") as file:
        file.seek(2000)
        file.write(b"\0" * 50)
    os.mkfifo(place.path("fifo"))
    for files, status, words in ((("good", "cut.gz"), 0, "cut.gz: "), (("good", "nowhere"), 0, "nowhere: no file"), (("fifo",), 1, "fifo: no file"),
                                 ((".",), 0, "of no known source"), (("/dev/zero",), 1, "no file that can be read"),
                                 (("mysql://anna:secret@127.0.0.1:9/x",), 1, r"anna:\.\.\.@127")):
        result = place.devices(*files)
        place.expect_status(result, status)
        place.expect_message(result, words)
    for words, message in ((("good", "--since", "soon"), "say 2026-11-01"),
                           (("good", "--time-zone", "Mars"), "no such time zone"), ((), "FILE")):
        result = place.run(place.fathom, "devices", *words)
        place.expect_status(result, 2)
        place.expect_message(result, message)
    rows = place.samples("good", "--since", "@1500000005", "--until", "2017-07-14", "--quantity", "a_*")
    place.expect(len(rows) == 1 and rows[0]["value"] == 4, f"filters: {rows}")
    place.expect(not place.samples("good", "--until", "2017-07-13", status=0) and not place.samples("good", "--component", "x"), "nothing is left")


# ---- what tools print here ----


WRITTEN, READ, SECONDS = 48, 20, 5


def needs(*programs):
    for program in programs:
        if not shutil.which(program) and not os.path.exists(program):
            raise Skip(f"no {program}")


def expect_device(place, name, rows, device):
    sums = summed([row for row in rows if row["component"] == device], "quantity")
    for quantity, mib in (("bytes_written", WRITTEN), ("bytes_read", READ)):
        place.expect_close(f"{name}: {quantity}", sums[(quantity,)], mib << 20, 0.01)


@case("iostat here: the bytes of a device, as text and as JSON")
def _(place):
    needs("iostat")
    with LoopDevice(place, 16) as device:
        environments = {"C.txt": {"LC_ALL": "C"}, "iso.txt": {"S_TIME_FORMAT": "ISO", "LC_ALL": "C"}, "m.txt": {"LC_ALL": "C"}, "all.json": {"LC_ALL": "C"}}
        words = {"C.txt": ["-x", "-t"], "iso.txt": ["-x", "-t", "-k"], "m.txt": ["-x", "-t", "-m", "-y"], "all.json": ["-x", "-t", "-o", "JSON"]}
        running = []
        for name, environment in environments.items():
            out = open(place.path(name), "w", encoding="utf-8")
            # -y leaves out the first: it waits one interval more.
            running.append(subprocess.Popen(["iostat", *words[name], "-d", device.path, "2", "7"], stdout=out, env={**os.environ, **environment}))
        time.sleep(3)  # the first interval of each is without our bytes
        device.use(WRITTEN, READ, SECONDS)
        for process in running:
            process.wait()
        for name in environments:
            rows = place.samples(name)
            expect_device(place, name, rows, device.name)
            place.expect(len({row["end"] for row in rows}) >= 6, f"{name}: too few samples")


@case("sadf here: the bytes of a device, all parts")
def _(place):
    needs("sadf", "/usr/lib/sysstat/sadc")
    with LoopDevice(place, 16) as device:
        recorder = subprocess.Popen(["/usr/lib/sysstat/sadc", "-S", "XALL", "1", "10", place.path("sa")])
        time.sleep(1.5)
        device.use(WRITTEN, READ, SECONDS)
        recorder.wait()
        with open(place.path("sa.json"), "w", encoding="utf-8") as file:
            subprocess.run(["sadf", "-j", place.path("sa"), "--", "-A"], stdout=file, check=True)
    rows = place.samples("sa.json")
    expect_device(place, "sadf", rows, device.name)
    with open(place.path("sa.json"), encoding="utf-8") as file:
        host = json.load(file)["sysstat"]["hosts"][0]
    place.expect({row["host"] for row in rows} == {host["nodename"]}, "other hosts")
    idle = sum(cpu["idle"] / 100 * statistic["timestamp"]["interval"] * host["number-of-cpus"] for statistic in host["statistics"]
               for cpu in statistic["cpu-load"] if cpu["cpu"] == "all")
    place.expect_close("idle", summed([row for row in rows if row["type"] == "host"], "quantity")[("cpu_idle",)], idle, 1e-6)
    free = sum(statistic["memory"]["memfree"] * 1024 for statistic in host["statistics"])
    place.expect_close("free memory", summed(rows, "quantity")[("memory_free",)], free)
    for part in ("net-dev", "filesystems", "psi-io"):
        place.expect(part not in json.dumps(host) or any(row["quantity"].startswith(part) or row["quantity"] in ("bytes_received", "bytes_free", "io_pressure")
                                                         for row in rows), f"{part} is not there")


class CollectdLooks:
    """The times that collectd looked at a device, by what it wrote."""

    def __init__(self, place, device):
        self.files = os.path.join(place.path("csv"), "node1", f"disk-{device}", "disk_octets-*")

    def count(self):
        return sum(len(Path(file).read_text(encoding="utf-8").splitlines()) - 1 for file in glob.glob(self.files))

    def wait_for(self, more):
        until, least = time.monotonic() + 30, self.count() + more
        while self.count() < least and time.monotonic() < until:
            time.sleep(0.1)


@case("collectd here: the bytes of a device, as CSV")
def _(place):
    needs("collectd")
    with open(place.path("conf"), "w", encoding="utf-8") as file:
        file.write(f'Hostname "node1"\nFQDNLookup false\nBaseDir "{place.folder}"\nPIDFile "{place.path("pid")}"\nPluginDir "/usr/lib/collectd"\n'
                   f'TypesDB "/usr/share/collectd/types.db"\nInterval 1\nLoadPlugin csv\nLoadPlugin disk\nLoadPlugin interface\nLoadPlugin cpu\n'
                   f'LoadPlugin memory\n<Plugin csv>\nDataDir "{place.path("csv")}"\nStoreRates {{rates}}\n</Plugin>\n')
    with open(place.path("conf"), encoding="utf-8") as file:
        text = file.read()
    for rates in ("false", "true"):
        with open(place.path("conf"), "w", encoding="utf-8") as file:
            file.write(text.replace("{rates}", rates))
        for _ in range(3):
            shutil.rmtree(place.path("csv"), ignore_errors=True)
            with LoopDevice(place, 16) as device:
                collectd = subprocess.Popen(["collectd", "-f", "-C", place.path("conf")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                looks = CollectdLooks(place, device.name)
                looks.wait_for(2)
                device.use(WRITTEN, READ, SECONDS)
                looks.wait_for(3)
                collectd.send_signal(signal.SIGINT)
                collectd.wait()
            rows = place.samples("csv")
            times = sorted({round(row["end"]) for row in rows if row["component"] == device.name})
            # A rate of an interval that collectd came too late for is nowhere.
            if times[-1] - times[0] + 1 == len(times):
                break
        expect_device(place, f"StoreRates {rates}", rows, device.name)
        place.expect({row["host"] for row in rows} == {"node1"}, "other hosts")


@case("Prometheus' node_exporter here: the bytes of a device, scraped into one file")
def _(place):
    needs("prometheus-node-exporter")
    with LoopDevice(place, 16) as device:
        exporter = subprocess.Popen(["prometheus-node-exporter", "--web.listen-address=127.0.0.1:19178", "--collector.diskstats.device-exclude=^ram"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def scrape():
            for _ in range(50):
                try:
                    with urllib.request.urlopen("http://127.0.0.1:19178/metrics") as answer:
                        return answer.read().decode()
                except OSError:
                    time.sleep(0.1)
            raise Skip("node_exporter does not answer")

        try:
            texts = [scrape()]
            for _ in range(3):
                device.use(WRITTEN // 3, READ // 3, 1)
                texts.append(scrape())
            device.use(0, READ % 3, 0.1)
            texts.append(scrape())
        finally:
            exporter.terminate()
            exporter.wait()
    with open(place.path("metrics"), "w", encoding="utf-8") as file:
        file.write("".join(texts))
    rows = place.samples("metrics")
    expect_device(place, "node_exporter", rows, device.name)
    place.expect({row["host"] for row in rows} == {os.uname().nodename}, "other hosts")
    names = {re.split(r"[{ ]", line)[0] for text in texts for line in text.splitlines() if line and line[0] != "#"}
    place.expect(len({row["quantity"] for row in rows}) > len(names) * 0.8, "metrics are lost")


@case("mountstats here: NFS mounts, where there are any")
def _(place):
    with open("/proc/self/mountstats", encoding="utf-8") as file:
        stats = file.read()
    if "fstype nfs" not in stats:
        raise Skip("no NFS is mounted")
    with open(place.path("mounts"), "w", encoding="utf-8") as file:
        file.write(f"1500000000\n{stats}1500000060\n{stats}")
    place.expect(len({row["component"] for row in place.samples("mounts")}) == stats.count("fstype nfs"), "other mounts")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
