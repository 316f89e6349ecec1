#!/usr/bin/env python3
"""`fathom serve`: who may see what by every address, what goes wrong, slow clients, a database that goes away, memory.

usage: run_serve.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_serve.py --list
Exit status 77: the case cannot be set up here.
"""
import base64
import contextlib
import csv
import http.client
import io
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse
import zlib
from pathlib import Path

import cases
import postgres
from cases import Skip, case
from lmt_of_ior import lmt_of_ior
from mpis import OPEN_MPI
from served import ADDRESSES, HOSTILE, JOBS, MOUNT, RUNNING, Server, made_jobs, make_site, routes_of, with_form

ANNAS, BENS, CARLS, NOBODYS = 3, 4, 5, 10**9


class Place(cases.Place):
    def site(self):
        return make_site(self.fathom, self.folder)

    def serve(self, url, *options, **others):
        return Server(self.fathom, url, *options, **others)

    @contextlib.contextmanager
    def in_postgres(self, path):
        if postgres.programs() is None:
            raise Skip("PostgreSQL is not here")
        with postgres.Postgres() as server:
            scratch = Path(self.path("copy"))
            scratch.mkdir()
            os.chmod(self.folder, 0o755)
            url = server.url("jobs")
            made_jobs.make_tables(self.fathom, url, scratch)
            made_jobs.copy_to(server, path, scratch)
            yield server, url

    def addresses(self, only=None):
        """Of every route in every form, or in one, for a job, its user and program."""
        forms = dict(routes_of(self.fathom))
        for address in ADDRESSES:
            path = address.partition("?")[0]
            for form in forms[path]:
                if only in (None, form):
                    yield path, with_form(address, form)


def quoted(address, **values):
    return address.format(**{name: urllib.parse.quote(str(value), safe="") for name, value in values.items()})


SECRETS = re.compile(r"\bben\b|secret")


def expect_own_alone(place, server, only=None):
    """Of ben's things anna gets the answer of what is not there, and no page of hers has ben in it; ben and staff see them."""
    seen = 0
    for path, address in place.addresses(only):
        bens = quoted(address, id=BENS, user="ben", program="secret-program", job=RUNNING["ben"])
        nobodys = quoted(address, id=NOBODYS, user="nobody", program="no-program", job="1")
        status, headers, body = server.made(bens, "anna")
        if "{" in address:
            other = server.made(nobodys, "anna")
            place.expect((status, body) == (404, other[2]) and other[0] == 404, f"{bens}: {status}, of nothing {other[0]}: {body[-300:]}")
            place.expect([line for line in headers.items() if line[0] != "Date"] == [line for line in other[1].items() if line[0] != "Date"],
                         f"{bens}: headers tell: {headers}")
            status, _, body = server.made(bens, "ben")
            place.expect(status == 200, f"{bens} for ben: {status}")
            seen += status == 200 and "secret" in body
        else:
            place.expect(status == 200, f"{bens}: {status}: {body[-300:]}")
        annas = quoted(address, id=ANNAS, user="anna", program="wrf.exe", job=RUNNING["anna"])
        for one in (bens, annas):
            _, _, body = server.made(one, "anna")
            place.expect(not SECRETS.search(body), f"{one} tells anna of ben")
            place.expect("alert(1)" not in body, f"{one} tells anna of carl")
        status, _, body = server.made(annas, "anna")
        place.expect(status == 200, f"{annas}: {status}: {body[-300:]}")
    place.expect(seen >= 5, f"{seen} pages of ben's own have what is his")
    # Filters find no more, and lists of them are as those of nobody.
    running = json.loads(server.ask("/running.json", "anna")[2])["sections"][0]["blocks"][0]["rows"]
    place.expect([row["running_job"] for row in running] == [RUNNING["anna"]], f"anna's running jobs: {running}")
    for question in ("user={}", "job={}", "program={}*", "project={}*", "bytes=1&user={}"):
        both = [server.ask("/jobs.csv?" + question.format(name), "anna")[2] for name in ("ben", "nobody")]
        place.expect(both[0] == both[1], f"/jobs?{question} differs for what is there and what is not")
    rows = list(csv.DictReader(io.StringIO(server.ask("/jobs.csv", "anna")[2])))
    place.expect(len(rows) == JOBS // 3 and {row["user"] for row in rows} == {"anna"}, f"anna's list has {len(rows)} rows")
    rows = list(csv.DictReader(io.StringIO(server.ask("/jobs.csv", "carol")[2])))
    place.expect(len(rows) == JOBS, f"the list of staff has {len(rows)} rows")
    status, _, body = server.made(f"/jobs/{BENS}", "carol")
    place.expect(status == 200 and "secret-program" in body, f"staff sees ben's job: {status}")


@case("anna gets the same answer for ben's things as for what is not there, by every address, in SQLite")
def _(place):
    place.expect({path for path, _ in routes_of(place.fathom)} == {address.partition("?")[0] for address in ADDRESSES},
                 "a route has no address in the tests")
    with place.serve(place.site(), "--staff", "carol") as server:
        expect_own_alone(place, server)


@case("the same in PostgreSQL, with the same answers")
def _(place):
    path = place.site()
    with place.in_postgres(path) as (_, url), place.serve(url, "--staff", "carol") as server, place.serve(path, "--staff", "carol") as other:
        expect_own_alone(place, server, ".json")
        for user in ("anna", "carol"):
            for _, address in place.addresses(".json"):
                address = quoted(address, id=ANNAS, user="anna", program="wrf.exe", job=RUNNING["anna"])
                answers = [json.loads(one.made(address, user)[2]) for one in (server, other)]
                for answer in answers:
                    answer.pop("subtitle")
                    for row in (row for section in answer["sections"] for block in section["blocks"] for row in block.get("rows", [])):
                        if "/running" in address:  # moments pass
                            row.pop("age"), row.pop("run_seconds")
                place.expect(answers[0] == answers[1], f"{address} for {user}: PostgreSQL says something else than SQLite")


@case("without a proxy nobody but the user who runs it is answered, and only by a local name")
def _(place):
    url = place.site()
    with place.serve(url, "--all", proxy=False) as server:
        place.expect(server.ask("/jobs")[0] == 200, "its own user is not answered")
        for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example"):
            place.expect(server.ask("/jobs.json", headers={"Host": host})[0] == 403, f"asked for as {host} it answers")
        for host in ("localhost", f"localhost:{server.port}", "[::1]:80"):
            place.expect(server.ask("/jobs.json", headers={"Host": host})[0] == 200, f"asked for as {host} it does not answer")
        if os.geteuid() != 0:
            raise Skip("another user is needed for the rest")
        asked = place.run("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c",
                          f"import http.client as h; c = h.HTTPConnection('127.0.0.1', {server.port}); c.request('GET', '/jobs.json'); "
                          "r = c.getresponse(); print(r.status, r.read().decode())")
        place.expect(asked.stdout.startswith("403 ") and "wrf" not in asked.stdout, f"another user of the machine gets {asked.stdout[:200]!r}")
    with place.serve(url, proxy=False) as server:
        rows = list(csv.DictReader(io.StringIO(server.ask("/jobs.csv")[2])))
        place.expect(rows == [], f"jobs of others show: {len(rows)}")
    for words, said in ((("--listen", "0.0.0.0:0"), "other machines reach that"), (("--listen", "nowhere"), "say an address"),
                        (("--user-header", "X-User"), "go together"), (("--proxy", "127.0.0.1"), "go together"),
                        (("--user-header", "X", "--proxy", "::1", "--all"), "--staff")):
        done = place.run(place.fathom, "serve", "--db", url, *words)
        place.expect_status(done, 2)
        place.expect_message(done, said)


@case("a header is trusted from the proxy alone, once, and of the right process")
def _(place):
    url = place.site()
    with place.serve(url) as server:
        place.expect(server.ask("/jobs")[0] == 403, "without a name it answers")
        for name in ("", " ", "anna ben", "a" * 300):
            place.expect(server.ask("/jobs", name or None)[0] == 403, f"{name!r} is a name")
        with socket.create_connection(("127.0.0.1", server.port)) as one:
            one.sendall(b"GET /jobs.csv HTTP/1.1\r\nHost: x\r\nX-Remote-User: anna\r\nx-remote-user: ben\r\nConnection: close\r\n\r\n")
            place.expect(one.makefile().readline().split()[1] == "403", "of two names one is trusted")
        if os.geteuid() == 0:
            asked = place.run("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c",
                              f"import http.client as h; c = h.HTTPConnection('127.0.0.1', {server.port}); "
                              "c.request('GET', '/jobs.csv', headers={'X-Remote-User': 'anna'}); print(c.getresponse().status)")
            place.expect(asked.stdout == "403\n", f"a user of the machine says who they are: {asked.stdout!r}")
    with Server(place.fathom, url, "--user-header", "X-Remote-User", "--proxy", "192.0.2.1", proxy=False) as server:
        place.expect(server.ask("/jobs", headers={"X-Remote-User": "anna"})[0] == 403, "an address that is no proxy is trusted")


@case("members of a group see its project's jobs, staff by its group all")
def _(place):
    import grp
    import pwd
    user = pwd.getpwuid(os.geteuid()).pw_name
    group = grp.getgrgid(pwd.getpwuid(os.geteuid()).pw_gid).gr_name
    url = place.site()
    database = sqlite3.connect(url)
    database.execute("update jobs set project = ? where user_name = 'ben' and id < 100", (group,))
    database.commit()
    database.close()
    with place.serve(url, "--projects-are-groups") as server:
        rows = list(csv.DictReader(io.StringIO(server.ask("/jobs.csv", user)[2])))
        place.expect(len(rows) == 33 and {row["project"] for row in rows} == {group}, f"{len(rows)} jobs of the project")
        place.expect(server.ask(f"/jobs/{BENS}", user)[0] == 200 and server.ask(f"/jobs/{BENS + 99}", user)[0] == 404, "the project's jobs alone")
    with place.serve(url, "--staff-group", group) as server:
        place.expect(len(list(csv.DictReader(io.StringIO(server.ask("/jobs.csv", user)[2])))) == JOBS, "staff sees not all")
        place.expect(server.ask("/jobs.csv", "anna")[2].count("\n") == JOBS // 3 + 1, "anna is no staff")


@case("nothing can be changed, and what cannot be asked is said in a sentence")
def _(place):
    url = place.site()
    before = Path(url).read_bytes()
    with place.serve(url) as server:
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            status, headers, _ = server.ask("/jobs", "anna", method)
            place.expect(status in (405, 400) and (status == 400 or headers["Allow"] == "GET, HEAD"), f"{method}: {status}")
        status, headers, body = server.ask("/jobs", "anna", "HEAD")
        place.expect(status == 200 and body == "" and int(headers["Content-Length"]) > 1000, f"HEAD: {status}, {headers}")
        for address, said in (("/jobs?since=soon", "say 2026-11-01"), ("/jobs?nodes=many", "a number"), ("/jobs?sort=colour", "colour"),
                              ("/jobs?finding=nothing", "no rule"), ("/jobs?page=0", "from 1 to"), ("/jobs?top=1000000", "from 1 to"),
                              ("/jobs?columns=a", "no column"), ("/program", "say whose"), ("/site?by=colour", "project, user or program"),
                              (f"/file-system?{MOUNT}&since=now&until=now", "10 seconds"), (f"/minute?{MOUNT}&at=then", "say 2026")):
            status, _, body = server.ask(with_form(address, ".json"), "anna")
            place.expect(status == 400 and said in json.loads(body)["title"], f"{address}: {status}, {body[:300]}")
        for address in ("/jobs/0", "/jobs/-3", "/jobs/3x", "/jobs/3/", "/jobs/99999999999999999999", "/../../etc/passwd", "/jobs/3/../4", "/jobs/3/log",
                        "/%00", "/file-system", "/running.csv", "/jobs.xml", "//jobs", "/JOBS"):
            status, _, _ = server.ask(address, "anna")
            place.expect(status == 404, f"{address}: {status}")
        status, headers, _ = server.ask("/jobs", "anna", headers={"Range": "bytes=0-10,20-30"})
        place.expect(status == 200, f"a part of a page: {status}")
        policy = headers["Content-Security-Policy"]
        place.expect("default-src 'none'" in policy and "script-src 'sha256-" in policy and "frame-ancestors 'none'" in policy, policy)
        place.expect("Set-Cookie" not in headers and "Access-Control-Allow-Origin" not in headers and headers["X-Content-Type-Options"] == "nosniff",
                     f"{headers}")
    place.expect(Path(url).read_bytes() == before, "the database changed")


def bytes_by_job(database, start, end):
    """{job: bytes written in [start, end), ns}, by the time bins in the database: each evenly over its length."""
    found = {}
    for job, length, packed in database.execute("select job, bin_ns, bins from job_details"):
        number = 0
        for line in zlib.decompress(base64.b64decode(packed)).splitlines():
            ahead, _, written, *_ = map(int, line.split())
            number += ahead
            both = min(end, (number + 1) * length) - max(start, number * length)
            if both > 0:
                found[job] = found.get(job, 0) + written * both / length
    return found


@case("the load of a file system is what the jobs' time bins have, and one minute names jobs, nodes and server")
def _(place):
    url = place.site()
    database = sqlite3.connect(url)
    begin = database.execute("select min(start_ns) from jobs").fetchone()[0] // 10**9
    users = dict(database.execute("select id, user_name from jobs"))

    def tables(server, address, user):
        document = json.loads(server.made(with_form(address, ".json"), user)[2])
        blocks = [block for section in document["sections"] for block in section["blocks"]]
        return document["values"], next((block for block in blocks if block.get("id") == "load_jobs"), None), blocks

    with place.serve(url, "--staff", "carol") as server:
        for since, until in ((begin, begin + 7200), (begin + 600, begin + 1377)):
            truth = bytes_by_job(database, since * 10**9, until * 10**9)
            values, jobs, blocks = tables(server, f"/file-system?{MOUNT}&since=@{since}&until=@{until}", "carol")
            moved = sum(truth.values())
            place.expect(abs(values["load.bytes_written"] - moved) <= 1e-6 * moved + 1, f"{values['load.bytes_written']} bytes instead of {moved}")
            for row in jobs["rows"]:
                place.expect(abs(row["bytes_written"] - truth[int(row["id"])]) <= 1e-6 * moved + 1 and row["user"] == users[int(row["id"])], f"{row}")
            place.expect([row["id"] for row in jobs["rows"]][:5] == [str(job) for job, _ in sorted(truth.items(), key=lambda one: -one[1])[:5]], "the order")
            chart = next(block for block in blocks if block.get("id") == "load")
            place.expect(chart["series"], f"the chart has {sorted(chart)}")
        minute = (begin + 1500) // 60 * 60
        truth = bytes_by_job(database, minute * 10**9, (minute + 60) * 10**9)
        values, jobs, _ = tables(server, f"/minute?{MOUNT}&at=@{minute + 30}", "carol")
        # A job that began just behind the minute has a time bin that reaches into it, and did not run then.
        count = len([one for one in truth.values() if one >= 1])
        place.expect(values["load.server"] == "mds1:/scratch" and abs(values["load.jobs"] - count) <= 1, f"{values} instead of {count} jobs")
        place.expect(all(row["nodes"] == f"node{row['id']}, node{int(row['id']) + 1000}" for row in jobs["rows"]), f"nodes: {jobs['rows'][:2]}")
        _, hers, _ = tables(server, f"/minute?{MOUNT}&at=@{minute + 30}", "anna")
        place.expect({row["user"] for row in hers["rows"]} == {"anna", "another user"}, f"users: {[row['user'] for row in hers['rows']]}")
        for row in hers["rows"]:
            own = users[int(row["id"])] == "anna"
            place.expect(own == (row["user"] == "anna") and own == bool(row["program"]), f"{row}")
        place.expect([row["bytes_written"] for row in hers["rows"]] == [row["bytes_written"] for row in jobs["rows"]], "the load differs")


@case("names of users and programs are text on every page")
def _(place):
    with place.serve(place.site(), "--staff", "carol") as server:
        for user in ("carol", HOSTILE.replace(" ", "")):
            for _, address in place.addresses():
                status, _, body = server.made(quoted(address, id=CARLS, user=HOSTILE, program=HOSTILE, job=RUNNING[HOSTILE]), user)
                if status == 200 and ".json" not in address and ".csv" not in address:
                    place.expect("<script>document" not in body and "<img" not in body, f"{address}: a name is HTML")
                place.expect(status in (200, 404), f"{address}: {status}")
        status, _, body = server.made(quoted("/user?name={user}", user=HOSTILE), "carol")
        place.expect(status == 200 and "&lt;script&gt;" in body, f"a hostile name has a page: {status}")
        for address in ("/jobs?user={user}", "/jobs?program={user}", "/jobs?since={user}", "/programs?x={user}", f"/minute?{MOUNT}&at={{user}}", "/jobs?{user}=1"):
            _, _, body = server.made(quoted(address, user='"><script>alert(1)</script>'), "carol")
            place.expect("<script>alert" not in body, f"{address}: what is asked is HTML")


@case("slow clients and half requests hold up nobody, and are ended")
def _(place):
    with place.serve(place.site()) as server:
        server.ask("/jobs", "anna")
        threads = server.threads()
        slow = []
        for number in range(700):
            one = socket.create_connection(("127.0.0.1", server.port))
            one.sendall(b"GET /jobs HTTP/1.1\r\nX-Remote-User: anna\r\nX-Slow: "[: 5 + number % 50])
            slow.append(one)
        for _ in range(5):
            start = time.monotonic()
            status, _, _ = server.ask("/jobs.json?top=5", "anna")
            place.expect(status == 200 and time.monotonic() - start < 3, f"{status} after {time.monotonic() - start:.1f} s beside slow clients")
        place.expect(server.threads() == threads, f"{server.threads()} threads, {threads} before")
        place.expect(server.descriptors() < 600, f"{server.descriptors()} descriptors")
        # Who takes no answer.
        greedy = []
        for _ in range(20):
            one = socket.create_connection(("127.0.0.1", server.port))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.sendall(b"GET /jobs.json HTTP/1.1\r\nHost: x\r\nX-Remote-User: anna\r\n\r\n" * 3)
            greedy.append(one)
        status, _, _ = server.ask("/jobs.json?top=5", "anna")
        place.expect(status == 200, f"{status} beside clients that take nothing")
        slow[-1].settimeout(20)
        with contextlib.suppress(ConnectionError):
            place.expect(b"408" in slow[-1].recv(100), "a half request gets no 408")
        for one in (*slow, *greedy):
            one.close()
        with socket.create_connection(("127.0.0.1", server.port)) as one:
            with contextlib.suppress(ConnectionError):
                one.sendall(b"GET /" + b"a" * 20000)
                place.expect(b"431" in one.recv(100), "a request without an end gets no 431")
        for odd in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"GET /jobs HTTP/1.1\r\n: x\r\n\r\n",
                    b"GET /%zz?%=%&&=;%ff HTTP/1.1\r\nX-Remote-User: anna\r\n\r\n", b"GET " + b"/" * 9000 + b" HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", server.port)) as one:
                one.settimeout(20)
                one.sendall(odd)
                one.shutdown(socket.SHUT_WR)
                one.recv(100)
        # Two requests at once on one connection, and a body that nobody wants.
        with socket.create_connection(("127.0.0.1", server.port)) as one:
            one.sendall(b"GET /jobs.csv?top=1 HTTP/1.1\r\nX-Remote-User: anna\r\n\r\nGET /jobs.csv?top=1 HTTP/1.1\r\nX-Remote-User: ben\r\nConnection: close\r\n\r\n")
            said = one.makefile("rb").read()
            place.expect(said.count(b"HTTP/1.1 200") == 2 and said.find(b"anna") < said.find(b"ben"), f"two requests: {said[:200]}")
        with socket.create_connection(("127.0.0.1", server.port)) as one:
            one.sendall(b"POST /jobs HTTP/1.1\r\nX-Remote-User: anna\r\nContent-Length: 60\r\n\r\nGET /jobs.csv HTTP/1.1\r\nX-Remote-User: ben\r\n\r\n")
            said = one.makefile("rb").read()
            place.expect(said.count(b"HTTP/1.1") == 1 and b"405" in said, f"a body is taken for a request: {said[:300]}")
        place.expect(server.ask("/jobs", "anna")[0] == 200, "afterwards it does not answer")
        said, status = server.end()
        place.expect(status == 0, f"status {status}: {said}")


@case("a database that goes away gives 503 with a sentence, and is well again")
def _(place):
    with place.in_postgres(place.site()) as (server, url), place.serve(url) as web:
        place.expect(web.ask("/jobs", "anna")[0] == 200, "before")
        server.kill()
        for address in ("/jobs", f"/jobs/{ANNAS}.json", "/jobs.csv", "/program?name=wrf.exe"):
            status, headers, body = web.ask(address, "anna")
            place.expect(status == 503 and "does not answer" in body and headers["Retry-After"] and "postgresql" not in body and "/tmp" not in body,
                         f"{address}: {status}, {body[-400:]}")
        server.start()
        for address in ("/jobs", f"/jobs/{ANNAS}.json", "/jobs.csv", "/program?name=wrf.exe"):
            status, _, body = web.made(address, "anna")
            place.expect(status == 200, f"{address} afterwards: {status}, {body[-300:]}")
        # A restart between two requests is seen by nobody.
        server.kill()
        server.start()
        place.expect(web.ask("/jobs", "anna")[0] == 200, "after a restart")
        said, _ = web.end()
        place.expect(said.count("does not answer") == 1 and said.count("answers again") == 1, f"said: {said!r}")


@case("a question that fails in a database that is there gives 500, and whoever runs the server is told why")
def _(place):
    url = place.site()
    with place.serve(url) as web:
        database = sqlite3.connect(url)
        database.executescript("alter table job_findings rename to lost_findings")
        database.close()
        status, _, body = web.ask(f"/jobs/{ANNAS}", "anna")
        place.expect(status == 500 and "went wrong inside" in body and "job_findings" not in body, f"{status}, {body[-400:]}")
        said, _ = web.end()
        place.expect("a question to the database failed" in said and "job_findings" in said, f"said: {said!r}")


@case("the example for nginx: TLS, logins, and no browser says who asks")
def _(place):
    if not (shutil.which("nginx") and shutil.which("openssl")):
        raise Skip("nginx or openssl is not here")
    os.chmod(place.folder, 0o755)
    example = (Path(__file__).resolve().parents[2] / "share/nginx/fathom.conf").read_text(encoding="utf-8")
    place.expect_status(place.run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "fathom.key", "-out", "fathom.crt", "-days", "2",
                                  "-subj", "/CN=fathom.site.org"), 0)
    with open(place.path("fathom.htpasswd"), "w", encoding="ascii") as file:
        for user in ("anna", "ben"):
            file.write(f"{user}:{place.run('openssl', 'passwd', '-apr1', 'of-' + user).stdout}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with place.serve(place.site(), *(("--proxy-user", "www-data") if os.geteuid() == 0 else ())) as server:
        for ours, theirs in (("/etc/nginx/", place.folder + "/"), ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("127.0.0.1:8080", f"127.0.0.1:{server.port}")):
            place.expect(ours in example, f"the example has no {ours}")
            example = example.replace(ours, theirs)
        with open(place.path("nginx.conf"), "w", encoding="utf-8") as file:
            file.write(("user www-data; " if os.geteuid() == 0 else "") + f"daemon off; pid {place.path('nginx.pid')}; error_log {place.path('error.log')};\nevents {{}}\nhttp {{\naccess_log off;\n"
                       + "".join(f"{name}_temp_path {place.path(name)};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) + example + "}\n")
        proxy = subprocess.Popen(["nginx", "-c", place.path("nginx.conf"), "-p", place.folder], cwd=place.folder, stderr=subprocess.PIPE, text=True)
        try:
            trust = ssl.create_default_context(cafile=place.path("fathom.crt"))
            trust.check_hostname = False

            def ask(login, address="/jobs.csv", method="GET", **headers):
                if login:
                    headers["Authorization"] = "Basic " + base64.b64encode(login.encode()).decode()
                for _ in range(100):
                    try:
                        connection = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=30)
                        connection.request(method, address, headers=headers)
                        answer = connection.getresponse()
                        return answer.status, answer.read().decode(), answer.headers
                    except ConnectionRefusedError:
                        time.sleep(0.1)
                raise RuntimeError(f"nginx does not listen: {proxy.poll()}")

            place.expect(ask(None)[0] == 401 and ask("anna:wrong")[0] == 401, "without a password it answers")
            for headers in ({}, {"X-Remote-User": "ben"}, {"x-remote-user": "ben"}, {"X_Remote_User": "ben"}):
                status, body, answered = ask("anna:of-anna", **headers)
                rows = list(csv.DictReader(io.StringIO(body)))
                place.expect(status == 200 and len(rows) == JOBS // 3 and {row["user"] for row in rows} == {"anna"}, f"{headers}: {status}, {len(rows)} jobs")
            place.expect("max-age" in answered["Strict-Transport-Security"] and "default-src 'none'" in answered["Content-Security-Policy"], f"{answered}")
            place.expect(ask("ben:of-ben", f"/jobs/{ANNAS}")[0] == 404 and ask("anna:of-anna", f"/jobs/{ANNAS}")[0] == 200, "who sees what")
            place.expect(ask("anna:of-anna", method="POST")[0] == 403 and ask("anna:of-anna", method="HEAD")[0] == 200, "methods")
        finally:
            proxy.terminate()
            proxy.communicate(timeout=30)


@case("a log that is not the job's any more is not shown")
def _(place):
    if not OPEN_MPI.has(place.programs, "checkpoint"):
        raise Skip("Open MPI is not here")
    for name, mib in (("annas", 1), ("bens", 2)):
        place.expect_status(place.record(*OPEN_MPI.run(2), place.program("checkpoint"), "--mode", "N-1", "--mib-per-rank", str(mib),
                                         options=("-q", "-o", f"{name}.fathom")), 0)
    url = place.path("jobs.db")
    place.expect_status(place.run(place.fathom, "jobs", "add", "annas.fathom", "bens.fathom", "--db", url), 0)
    database = sqlite3.connect(url)
    jobs = {name: database.execute("select job from logs where path like ?", (f"%{name}.fathom",)).fetchone()[0] for name in ("annas", "bens")}
    for user, name in (("anna", "annas"), ("ben", "bens")):
        database.execute("update jobs set user_name = ? where id = ?", (user, jobs[name]))
    database.commit()
    database.close()
    with place.serve(url) as server:
        status, _, whole = server.ask(f"/jobs/{jobs['annas']}/report.json", "anna")
        place.expect(status == 200 and "no_log" not in whole and "largest_files" not in json.loads(whole)["values"], f"her report: {status}")
        os.remove(place.path("annas.fathom"))
        os.symlink(place.path("bens.fathom"), place.path("annas.fathom"))
        status, _, body = server.ask(f"/jobs/{jobs['annas']}/report.json", "anna")
        place.expect(status == 200 and '"no_log"' in body, f"ben's log shows as anna's: {status}")


@case("what runs now stands above the jobs, of the user who runs the server alone")
def _(place):
    url = place.site()
    with open(place.path("busy.py"), "w", encoding="utf-8") as file:
        file.write("import time\nf = open('marker-of-busy.bin', 'wb', buffering=0)\nend = time.time() + 60\n"
                   "while time.time() < end:\n    f.write(b'x' * 65536)\n    time.sleep(0.01)\n")
    recording = subprocess.Popen([place.fathom, "record", "-q", "-o", place.path("x.fathom"), "--", "python3", place.path("busy.py")], cwd=place.folder,
                                 start_new_session=True)
    try:
        with place.serve(url, proxy=False) as server, place.serve(url, "--staff", "carol") as other:
            deadline = time.monotonic() + 30
            row = None
            while time.monotonic() < deadline and not (row and row["write_rate"]):
                time.sleep(0.3)
                found = json.loads(server.ask("/running.json")[2])
                rows = [row for section in found["sections"] for block in section["blocks"] for row in block.get("rows", [])]
                row = next((row for row in rows if "busy.py" in row["name"] and place.folder in row["name"]), None)
            place.expect(row and 1 < row["write_rate"] < 20 and row["processes"] == 1, f"it writes some 6 MiB/s: {row}")
            place.expect("busy.py" in server.ask("/jobs")[2], "it is not above the jobs")
            for address in ("/jobs", "/running", "/running.json"):
                place.expect("busy.py" not in other.ask(address, "carol")[2], f"{address} of a site shows it")
    finally:
        os.killpg(recording.pid, signal.SIGKILL)
        recording.wait()


@case("a job's servers are what its report says of them, for those alone who may see the job")
def _(place):
    log = os.path.join(os.environ.get("FATHOM_DARSHAN_LOGS", ""), "sample-badost.darshan")
    if not os.path.exists(log):
        raise Skip("no logs of Darshan (FATHOM_DARSHAN_LOGS names the folder)")
    url = place.path("jobs.db")
    place.expect_status(place.run(place.fathom, "jobs", "add", log, "--db", url), 0)
    os.makedirs(place.path("series"))
    lmt_of_ior(place.path("series/lmt.sqlite3"), True)
    owner = sqlite3.connect(url).execute("select user_name from jobs").fetchall()[0][0]
    place.expect_status(place.run(place.fathom, "report", log, "--system", "series/lmt.sqlite3", "--time-zone", "UTC", "-o", "x.json"), 0)
    with open(place.path("x.json"), encoding="utf-8") as file:
        wanted = {section["id"]: section["blocks"] for section in json.load(file)["sections"]}
    with place.serve(url, "--staff", "carol", "--series", place.path("series"), "--time-zone", "UTC") as server:
        for user in (owner, "carol"):
            status, _, body = server.made("/jobs/1/servers.json", user)
            place.expect(status == 200, f"{status}: {body[-300:]}")
            blocks = next(section for section in json.loads(body)["sections"] if section["id"] == "system")["blocks"]
            findings = [block for block in blocks if block["type"] == "finding"]
            place.expect([block["id"] for block in findings] == ["ill_server"] and "OST000e" in findings[0]["title"], f"findings: {findings}")
            rest = [block for block in blocks if block["type"] != "finding"]
            place.expect(rest == wanted["system"], f"it differs from the report: {json.dumps(rest)[:500]}")
            place.expect(any(block["type"] == "time_chart" for block in rest), "no chart")
        place.expect(server.made("/jobs/1/servers", "ben")[0] == 404, "another user sees it")
        page = server.made("/jobs/1", "carol")[2]
        place.expect('href="/jobs/1/servers"' in page, "its page does not lead there")
        os.rename(place.path("series/lmt.sqlite3"), place.path("lmt.sqlite3"))
    with place.serve(url, "--staff", "carol") as server:
        status, _, body = server.made("/jobs/1/servers", "carol")
        place.expect(status == 200 and "--series" in body, f"without series: {status}")
        place.expect("/servers" not in server.ask("/jobs/1", "carol")[2], "its page leads there without series")
    with place.serve(url, "--staff", "carol", "--series", place.path("series")) as server:
        status, _, body = server.made("/jobs/1/servers", "carol")
        place.expect(status == 200 and "There is no series of what lies behind" in body, f"with an empty folder: {status}: {body[-400:]}")


@case("some seconds of mixed load leave memory, descriptors and threads as they were")
def _(place):
    with place.serve(place.site(), "--staff", "carol") as server:
        addresses = [quoted(address, id=ANNAS, user="anna", program="wrf.exe", job=RUNNING["anna"]) for _, address in place.addresses() if "/running" not in address]

        def load(seconds):
            wrong, deadline = [], time.monotonic() + seconds

            def client(number):
                at = number
                while time.monotonic() < deadline:
                    user = ("anna", "carol")[at // len(addresses) % 2]
                    status, _, _ = server.ask(addresses[at % len(addresses)], user)
                    if status not in (200, 503):
                        wrong.append((addresses[at % len(addresses)], status))
                    at += 1

            clients = [threading.Thread(target=client, args=(number,)) for number in range(8)]
            for one in clients:
                one.start()
            for one in clients:
                one.join()
            place.expect(not wrong, f"{wrong[:5]}")

        load(3)
        before = server.memory(), server.descriptors(), server.threads()
        load(4)
        after = server.memory(), server.descriptors(), server.threads()
        place.expect(after[0] < before[0] * 1.25 + 2**25, f"{after[0] - before[0]} bytes more")
        place.expect(after[1] <= before[1] + 8 and after[2] == before[2], f"descriptors and threads {before[1:]}, then {after[1:]}")
        said, status = server.end()
        place.expect(status == 0, f"status {status}: {said[-500:]}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
