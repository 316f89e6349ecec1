# A server of its own: made, started, filled, used by several clients, dumped and stopped.
set -eu -o pipefail
programs=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
export PATH=$programs:$PATH PGHOST=$PWD PGDATABASE=postgres PGUSER=us LC_ALL=C TZ=UTC
initdb -D data -U us -A trust >/dev/null
pg_ctl -D data -w -s -o "-c listen_addresses= -k $PWD -c autovacuum=off -c jit=off" -l server.log start
trap 'pg_ctl -D data -s -m fast stop && echo stopped' EXIT
pgbench -q -i -s 2 2>/dev/null
pgbench -n -c 4 -j 2 -t 200 --random-seed=7 | grep -E 'processed|failed|clients'
psql -At <<'SQL'
select md5(string_agg(a::text, ',' order by aid)) from pgbench_accounts a;
select sum(tbalance), (select sum(bbalance) from pgbench_branches), (select count(*) from pgbench_history) from pgbench_tellers;
create table kept as select n, md5(n::text) as text, n / 7.0 as part from generate_series(1, 30000) n;
create index on kept(text);
copy kept to program 'md5sum >copied';
create extension if not exists plpgsql;
vacuum full kept;
checkpoint;
select count(*), max(text) from kept where text like 'a%';
set work_mem = '64kB';
select count(*) from (select distinct text, part from kept order by part desc) t;
SQL
pg_dump -t kept >kept.sql
pg_dump -Fc -t kept >kept.dump
createdb restored
pg_restore -d restored kept.dump
pg_dump -t kept restored | cmp - kept.sql && echo restored
psql -c 'select nothing from nowhere' || echo "psql's status is $?"
pg_ctl -D data -w -s -m immediate restart -l server.log
psql -Atc 'select count(*) from kept'
