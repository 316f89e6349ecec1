"""Records of devices that are made up, and what their definitions (docs/METHODS.md, section 15) make of them.

Nothing here is taken from Fathom: minutes, gaps, classes and lagging servers are worked out anew, sample by sample.
"""
import datetime
import json
import math
import random

MIB = 1 << 20
INTERVAL = 30  # seconds from one sample to the next
BIN = 60
DAY = 86400
HOUR = 3600
BEGIN = int(datetime.datetime(2026, 3, 2, 18, tzinfo=datetime.timezone.utc).timestamp())
LENGTH = 3 * DAY
SERVERS = 8
ILL, UNUSED = 5, 6  # the one lags, the other has nothing to do
ILL_FROM, ILL_TO = BEGIN + 20 * HOUR, BEGIN + 26 * HOUR
UNUSED_FROM, UNUSED_TO = BEGIN + 30 * HOUR, BEGIN + 44 * HOUR
# Of which server nothing is told: a short time, one across midnight.
GAPS = [(2, BEGIN + 10 * HOUR, BEGIN + 10 * HOUR + 20 * 60), (3, BEGIN + 50 * HOUR, BEGIN + 55 * HOUR)]


def minutes_of_load(random_numbers):
    """What all servers are asked for in each minute, as a share of what one can do: bursts, trickles and idle periods."""
    minutes = []
    while len(minutes) < LENGTH // BIN:
        kind = random_numbers.choice(["burst", "burst", "trickle", "still"])
        length = random_numbers.choice([1, 2, 3, 5, 6, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60, 61, 90])
        for _ in range(length):
            share = {"burst": random_numbers.uniform(0.6, 1), "trickle": random_numbers.uniform(0.001, 0.09), "still": 0}
            minutes.append(share[kind])
    return minutes[:LENGTH // BIN]


def made_servers():
    """Of each server a list of samples (begin, end, bytes read, bytes written)."""
    random_numbers = random.Random(2011)
    load = minutes_of_load(random_numbers)
    servers = []
    for server in range(SERVERS):
        samples, before = [], BEGIN
        for end in range(BEGIN + INTERVAL, BEGIN + LENGTH + 1, INTERVAL):
            if any(server == who and begin < end < until for who, begin, until in GAPS):
                continue
            share = load[(end - INTERVAL - BEGIN) // BIN] * random_numbers.uniform(0.9, 1)
            if server == ILL and ILL_FROM <= end - INTERVAL < ILL_TO:
                share *= 0.2
            if server == UNUSED and UNUSED_FROM <= end - INTERVAL < UNUSED_TO:
                share = 0
            if is_gap(before, end):
                share = 0.5  # something was moved in it
            # As iostat prints them: KiB/s with two decimals.
            read, written = round(share * 30 * 1024, 2), round(share * 70 * 1024, 2)
            samples.append((before, end, read * 1024 * (end - before), written * 1024 * (end - before)))
            before = end
        servers.append(samples)
    return servers


def as_iostat_json(host, devices):
    """What `iostat -x -t -o JSON` writes: devices is a dictionary of samples by name, all at the same times."""
    def stamp(seconds):
        return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+0000")

    first = next(iter(devices.values()))
    statistics = [{"timestamp": stamp(first[0][0]), "disk": []}]
    for at, (begin, end, _, _) in enumerate(first):
        disks = []
        for name, samples in devices.items():
            _, _, read, written = samples[at]
            disks.append({"disk_device": name, "rkB/s": read / 1024 / (end - begin), "wkB/s": written / 1024 / (end - begin)})
        statistics.append({"timestamp": stamp(end), "disk": disks})
    return json.dumps({"sysstat": {"hosts": [{"nodename": host, "sysname": "Linux", "number-of-cpus": 1,
                                              "statistics": statistics}]}})


def is_gap(begin, end):
    return end - begin > 1.5 * INTERVAL and end - begin > BIN


def minute_rates(samples):
    """Bytes a second read and written in each minute of one server; None: less than half of the minute is known."""
    amounts, covered = [0.0] * (LENGTH // BIN), [0.0] * (LENGTH // BIN)
    for begin, end, read, written in samples:
        if is_gap(begin, end):
            continue
        for minute in range((begin - BEGIN) // BIN, (end - 1 - BEGIN) // BIN + 1):
            seconds = min(end, BEGIN + (minute + 1) * BIN) - max(begin, BEGIN + minute * BIN)
            amounts[minute] += (read + written) * seconds / (end - begin)
            covered[minute] += seconds
    return [amount / time if time >= BIN / 2 else None for amount, time in zip(amounts, covered)]


def sum_of_rates(servers):
    return [None if None in minute else sum(minute) for minute in zip(*map(minute_rates, servers))]


def periods(rates, belongs):
    """(first minute, minutes) of each longest stretch of known minutes that belong."""
    found, begin = [], None
    for at, rate in enumerate([*rates, None]):
        inside = rate is not None and belongs(rate)
        if inside and begin is None:
            begin = at
        if not inside and begin is not None:
            found.append((begin, at - begin))
            begin = None
    return found


CLASSES = [("1", 1, 1), ("2-5", 2, 5), ("6-10", 6, 10), ("11-20", 11, 20), ("21-30", 21, 30), ("31-40", 31, 40),
           ("41-50", 41, 50), ("51-60", 51, 60), ("> 60", 61, math.inf)]


def table_three(rates, belongs):
    """Of each class how many periods there are, and their minutes."""
    found = periods(rates, belongs)
    return {name: (sum(least <= length <= most for _, length in found),
                   sum(length for _, length in found if least <= length <= most)) for name, least, most in CLASSES}


def days(servers):
    """Of each day bytes read and written; those of gaps across days are in none."""
    totals = {}
    undated = 0.0
    for samples in servers:
        for begin, end, read, written in samples:
            first, last = begin // DAY, (end - 1) // DAY
            if is_gap(begin, end) and first != last:
                undated += read + written
                continue
            for day in range(first, last + 1):
                part = (min(end, (day + 1) * DAY) - max(begin, day * DAY)) / (end - begin)
                was = totals.get(day, (0.0, 0.0))
                totals[day] = (was[0] + read * part, was[1] + written * part)
    return {datetime.datetime.fromtimestamp(day * DAY, datetime.timezone.utc).strftime("%Y-%m-%d"): both
            for day, both in totals.items()}, undated


def lags(servers, share=0.3, least=60, peak=None, quiet=False):
    """(server, first minute, minutes, minutes in which others reached the share), of servers that had work, or that had none."""
    rates = list(map(minute_rates, servers))
    peak = peak or max(rate for one in rates for rate in one if rate is not None)
    limit = share * peak
    found = []
    for server, own in enumerate(rates):
        serving, idle, unknown = [], 0, 0
        for minute, rate in enumerate([*own, math.inf]):
            if rate is None:
                unknown += 1
                if unknown > least:
                    rate = math.inf
                else:
                    continue
            unknown = 0 if rate < limit else unknown
            if rate >= limit:
                if len(serving) >= least and (2 * idle > len(serving)) == quiet:
                    found.append((server, serving[0], serving[-1] + 1 - serving[0], len(serving)))
                serving, idle = [], 0
                continue
            others = [one[minute] for at, one in enumerate(rates) if at != server and one[minute] is not None]
            if len(others) >= 2 and 2 * sum(other >= limit for other in others) >= len(others):
                serving.append(minute)
                idle += rate < 0.01 * peak
        # What is left at the end was closed by the infinite minute.
    return found


def hour_classes(servers, peak=None):
    """How many cells (server, hour of the clock) are idle, low, mid, high: Yang et al., figure 5."""
    rates = list(map(minute_rates, servers))
    peak = peak or max(rate for one in rates for rate in one if rate is not None)
    counts = [0, 0, 0, 0]
    for one in rates:
        hours = {}
        for minute, rate in enumerate(one):
            if rate is not None:
                hour = (BEGIN + minute * BIN) // HOUR
                hours[hour] = max(hours.get(hour, 0.0), rate / peak)
        for highest in hours.values():
            counts[0 if highest < 0.1 else 1 if highest < 0.5 else 2 if highest < 0.9 else 3] += 1
    return counts
