-- Version 2 of the schema: activation strategies, user tasks, what alterations were asked for.

-- Set while an instance excludes others of the same key; in no index otherwise, so that the updates
-- of ordinary instances stay on their page.
alter table workflow_instances add column activation text;
create unique index workflow_instances_activation on workflow_instances (activation)
  where activation is not null;

-- Who may perform a task, as user:… and group:…, and the task itself as its payload says.
alter table bookmarks add column subjects text[];
alter table bookmarks add column task json;
create index bookmarks_subjects on bookmarks using gin (subjects) where subjects is not null;

-- A job is pending while its timer exists; it has failed when the log says why.
create table alteration_plans (
  id          text primary key,
  alterations json not null,
  created_at  timestamptz not null
);

create table alteration_jobs (
  id                   text primary key,
  plan_id              text not null references alteration_plans (id) on delete cascade,
  workflow_instance_id text not null,
  status               text not null,
  log                  json,
  created_at           timestamptz not null,
  completed_at         timestamptz
);
create index alteration_jobs_plan on alteration_jobs (plan_id);
