-- Version 30 of the schema: unfinished instances are counted by tenant, too.
-- Compatible with version 29.

alter table cluster_counts
  add column tenants json not null default '{}',
  add column tenants_at timestamptz;

-- As count_cluster_by_definition, which nodes of version 29 use: one pass over the instances.
create function count_cluster_by_tenant()
  returns table (instances json, timers json, unfinished json, tenants json)
  language sql stable
  set enable_seqscan = on
  set max_parallel_workers_per_gather = 0
as $$
  with counted as materialized (
    select tenant_id, definition_id, status, count(*) as n
      from workflow_instances group by tenant_id, definition_id, status
  ), open as (
    select tenant_id, definition_id, n from counted
     where status in ('Pending', 'Running', 'Suspended')
  )
  select (select coalesce(json_object_agg(status, n), '{}')
            from (select status, sum(n) as n from counted group by status) as i),
         (select coalesce(json_object_agg(kind, n), '{}')
            from (select kind, count(*) as n from timers group by kind) as t),
         (select coalesce(json_object_agg(definition_id, n), '{}')
            from (select definition_id, sum(n) as n from open
                   group by definition_id order by 2 desc limit 1000) as d),
         (select coalesce(json_object_agg(tenant_id, n), '{}')
            from (select tenant_id, sum(n) as n from open where tenant_id <> ''
                   group by tenant_id order by 2 desc limit 1000) as t)
$$;
