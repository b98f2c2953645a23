-- Version 4 of the schema: indexes that stay as fast when the tables have grown.

-- Ids are compared as bytes: it is faster, and all ids that begin with an instance's id and a dash
-- lie together.
alter table bookmarks alter column id type text collate "C";
alter table timers alter column id type text collate "C";

-- The order in which the leader reads: pages of timers that are due at one instant begin where the
-- last one ended.
drop index timers_due;
create index timers_due on timers (due_at, id);

-- Who waits for an event is asked for with a correlation as often as without.
drop index bookmarks_hash;
create index bookmarks_hash on bookmarks (hash, correlation_id);

-- Few rows are in these, so few commits pay for them: what an incident befell, what a publish takes
-- back, and tasks by age for those who see all of them.
create index workflow_instances_incidents on workflow_instances (created_at)
  where incident_count > 0;
create index timers_trigger on timers ((payload ->> 'definitionId')) where kind = 'Trigger';
create index bookmarks_tasks on bookmarks (created_at, id) where task is not null;

-- Of two indexes that seem to cost the same, as they do while a table is empty, the planner takes
-- the newer one: it must be the one on ids, since plans are kept while tables grow.
alter table bookmarks drop constraint bookmarks_pkey;
alter table bookmarks add primary key (id);
alter table timers drop constraint timers_pkey;
alter table timers add primary key (id);

-- Instances that were made together change together, in one commit that can reuse none of their
-- old versions: what has no room on its page is written into every index.
alter table workflow_instances set (fillfactor = 60);

-- These are written and deleted all the time; what is dead lies where the leader begins to read.
alter table bookmarks
  set (autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_scale_factor = 0.02);
alter table timers set (autovacuum_vacuum_cost_delay = 0);
