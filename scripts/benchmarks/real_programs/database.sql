-- A table that is loaded, indexed, changed, rolled back and packed; a write-ahead log; an import and an export.
pragma journal_mode = delete;
create table t(a integer primary key, b text, c real);
begin;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)
    insert into t select i, hex(i * i), i / 7.0 from n;
commit;
create index by_text on t(b);
select count(*), sum(length(b)), round(sum(c), 3) from t where b > '3';
begin;
delete from t where a % 2 = 0;
rollback;
update t set b = 'x' where a % 10 = 0;
delete from t where a % 3 = 0;
vacuum;
pragma integrity_check;
pragma journal_mode = wal;
insert into t(b, c) select b, c + 1 from t where a < 3000;
pragma wal_checkpoint(truncate);
pragma mmap_size = 100000000;
select count(*), min(b), max(c) from t;
pragma temp_store = file;
pragma cache_size = 20;
select count(*) from (select distinct b, c from t order by c desc);
.mode csv
.once out.csv
select a, b from t order by a;
.import out.csv imported
select count(*) from imported;
.backup backup.db
.dump imported
