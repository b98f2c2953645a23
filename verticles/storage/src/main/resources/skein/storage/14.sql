-- Version 14 of the schema: instances and timers are counted by one node for all.
-- Compatible with version 13.

-- What was counted last, and when a node last took it upon itself: one row.
create table cluster_counts (
  the_only   boolean primary key default true check (the_only),
  claimed_at timestamptz not null default '-infinity',
  counted_at timestamptz not null default '-infinity',
  took_ms    bigint not null default 0,
  instances  json not null default '{}',
  timers     json not null default '{}'
);
insert into cluster_counts default values;

-- All rows are read, so they are read in the order of the pages, by one process, and once: sessions of
-- nodes have enable_seqscan off for what they do otherwise.
create function count_cluster() returns table (instances json, timers json)
  language sql stable
  set enable_seqscan = on
  set max_parallel_workers_per_gather = 0
as $$
  select (select coalesce(json_object_agg(status, n), '{}')
            from (select status, count(*) as n from workflow_instances group by status) as i),
         (select coalesce(json_object_agg(kind, n), '{}')
            from (select kind, count(*) as n from timers group by kind) as t)
$$;
