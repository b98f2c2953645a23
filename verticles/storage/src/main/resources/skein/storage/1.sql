-- Version 1 of the schema. Run with search_path set to the schema of the configuration.

create table workflow_definitions (
  id            text primary key,
  definition_id text not null,
  version       int not null check (version > 0),
  name          text,
  description   text,
  is_latest     boolean not null,
  is_published  boolean not null,
  created_at    timestamptz not null,
  content       text not null,
  unique (definition_id, version)
);
create unique index workflow_definitions_latest on workflow_definitions (definition_id) where is_latest;
create unique index workflow_definitions_published on workflow_definitions (definition_id) where is_published;

create table triggers (
  id                             text primary key,
  workflow_definition_id         text not null,
  workflow_definition_version_id text not null,
  version                        int not null,
  activity_id                    text not null,
  name                           text not null,
  hash                           text not null,
  payload                        json
);
create index triggers_hash on triggers (hash);
create index triggers_definition on triggers (workflow_definition_id);
-- Two published workflows cannot answer the same path and method, whatever two nodes do at once.
create unique index triggers_endpoint on triggers (hash) where name = 'Elsa.HttpEndpoint';

-- The columns that change in a burst are in no index, so updates stay on the page (HOT).
create table workflow_instances (
  id                    text primary key,
  definition_id         text not null,
  definition_version_id text not null,
  version               int not null,
  status                text not null,
  correlation_id        text,
  name                  text,
  parent_id             text,
  incident_count        int not null,
  revision              bigint not null,
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  finished_at           timestamptz,
  state                 bytea not null
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index workflow_instances_created on workflow_instances (created_at);
create index workflow_instances_definition on workflow_instances (definition_id, created_at);
create index workflow_instances_correlation on workflow_instances (correlation_id)
  where correlation_id is not null;
create index workflow_instances_parent on workflow_instances (parent_id) where parent_id is not null;

create table bookmarks (
  id                   text primary key,
  workflow_instance_id text not null,
  name                 text not null,
  hash                 text not null,
  correlation_id       text,
  token_hash           text,
  expires_at           timestamptz,
  created_at           timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.05);
create index bookmarks_hash on bookmarks (hash);

create table timers (
  id                   text primary key,
  due_at               timestamptz not null,
  workflow_instance_id text not null,
  kind                 text not null,
  payload              json,
  attempts             int not null default 0
) with (autovacuum_vacuum_scale_factor = 0.02);
create index timers_due on timers (due_at);

create table leases (
  name       text primary key,
  holder     text not null,
  epoch      bigint not null,
  expires_at timestamptz not null
);

-- One row a burst: what happened in it, as an array. Partitions are dropped, never deleted from.
create table journal (
  workflow_instance_id text not null,
  revision             bigint not null,
  at                   timestamptz not null,
  commit_id            uuid not null,
  node                 text not null,
  entries              json not null
) partition by range (at);
create index journal_instance on journal (workflow_instance_id, revision);
create table journal_rest partition of journal default;

-- What the journal holds, a row per line: for people and their SQL.
create view journal_entries as
  select j.workflow_instance_id, j.revision, j.commit_id, j.node,
         (e ->> 'sequence')::bigint as sequence,
         (e ->> 'at')::timestamptz as at,
         (e ->> 'execution')::int as execution,
         e ->> 'activityId' as activity_id,
         e ->> 'activityType' as activity_type,
         e ->> 'event' as event,
         e ->> 'message' as message,
         e -> 'data' as data
    from journal j cross join lateral json_array_elements(j.entries) e;

-- Each execution of an activity, derived from the journal: the last word about it wins.
create view activity_executions as
  select workflow_instance_id, execution, activity_id, activity_type,
         min(at) filter (where event = 'Started') as started_at,
         min(at) filter (where event in ('Completed', 'Faulted', 'Canceled')) as finished_at,
         (array_agg(event order by sequence desc))[1] as last_event
    from journal_entries
   where execution > 0
   group by workflow_instance_id, execution, activity_id, activity_type;

create table audit_log (
  at                   timestamptz not null default clock_timestamp(),
  action               text not null,
  outcome              text not null,
  workflow_instance_id text,
  bookmark_id          text,
  actor                text,
  node                 text not null
);
create index audit_log_at on audit_log (at);
