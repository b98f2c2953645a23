-- Version 24 of the schema: what people note about instances.
-- Compatible with version 23.

-- Notes are added and never changed; they go with their instance. Commits neither read nor write them, so the
-- reference costs none of them anything.
create table instance_notes (
  id                   bigint generated always as identity primary key,
  workflow_instance_id text not null references workflow_instances (id) on delete cascade,
  at                   timestamptz not null default clock_timestamp(),
  author               text,
  text                 text not null check (length(text) between 1 and 2000)
);
create index instance_notes_instance on instance_notes (workflow_instance_id, id);
