-- Version 23 of the schema: unfinished instances are counted by definition, too.
-- Compatible with version 22.

-- Of the definitions that have the most, and when: nodes of version 22 count without it.
alter table cluster_counts
  add column unfinished    json not null default '{}',
  add column unfinished_at timestamptz;

-- As count_cluster, which nodes of version 22 use: one pass over the instances.
create function count_cluster_by_definition() returns table (instances json, timers json, unfinished json)
  language sql stable
  set enable_seqscan = on
  set max_parallel_workers_per_gather = 0
as $$
  with counted as materialized (
    select definition_id, status, count(*) as n from workflow_instances group by definition_id, status
  )
  select (select coalesce(json_object_agg(status, n), '{}')
            from (select status, sum(n) as n from counted group by status) as i),
         (select coalesce(json_object_agg(kind, n), '{}')
            from (select kind, count(*) as n from timers group by kind) as t),
         (select coalesce(json_object_agg(definition_id, n), '{}')
            from (select definition_id, sum(n) as n from counted
                   where status in ('Pending', 'Running', 'Suspended')
                   group by definition_id order by 2 desc limit 1000) as d)
$$;
