-- Version 17 of the schema: what is an instance's goes with it, when instances are deleted.
-- Compatible with version 16.

-- Whoever deletes rows of instances, and with whatever statement, deletes what is theirs with it.
-- That is done after the rows are locked, and each statement here sees all that was committed before
-- it: also what a commit of the instance wrote while the deletion waited for its lock. Commits insert
-- and update alone, so they do not pay for it. Rows are found by their keys, some instances at a
-- time, whatever the planner thinks of the tables.
create function delete_what_instances_had() returns trigger
  language plpgsql
  set search_path from current
  set enable_seqscan = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  ids text[];
begin
  for ids in
    select array_agg(id order by id)
      from (select id, (row_number() over (order by id) - 1) / 500 as slice from gone) as numbered
     group by slice order by slice
  loop
    -- Their ids begin with the instance's and a dash, behind which in order of bytes comes the dot.
    delete from bookmarks where id = any (array(
      select own.id
        from unnest(ids) as g (id)
       cross join lateral (
         select b.id from bookmarks b
          where b.id >= g.id || '-' and b.id < g.id || '.' and b.workflow_instance_id = g.id
         offset 0) as own));
    delete from timers where id = any (array(
      select own.id
        from unnest(ids) as g (id)
       cross join lateral (
         select t.id from timers t
          where t.id >= g.id || '-' and t.id < g.id || '.' and t.workflow_instance_id = g.id
         offset 0) as own
      union all
      select kind || g.id from unnest(ids) as g (id), unnest(array['start-', 'child-']) as k (kind)));
    delete from journal where workflow_instance_id = any (ids);
  end loop;
  return null;
end $$;

create trigger workflow_instances_gone
  after delete on workflow_instances
  referencing old table as gone
  for each statement execute function delete_what_instances_had();

-- Who deletes old instances, and how far it is: one row, as in the table scanner.
create table retention (
  single       boolean primary key default true check (single),
  requested_at timestamptz not null default '-infinity',
  pass         bigint not null default 0,
  holder       text,
  node         text,
  started_at   timestamptz not null default '-infinity',
  heard_at     timestamptz not null default '-infinity',
  finished_at  timestamptz not null default '-infinity',
  result       json
);
insert into retention default values;

-- Few bookmarks have a token: it is found again when it has expired.
create index bookmarks_tokens on bookmarks (expires_at) where token_hash is not null;
