-- Version 24 of the schema: what people note about instances, and sessions of people whom an OpenID
-- provider has signed in.
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

-- A session is a user's, or a person's who is not in identity_users: who they are, as the provider said it at the sign-in.
alter table identity_sessions
  alter column user_id drop not null,
  add column person_subject     text,
  add column person_name        text,
  add column person_roles       text[],
  add column person_permissions text[],
  -- However often it is prolonged; null: there is no such end.
  add column ends_at            timestamptz,
  add constraint identity_sessions_whose check (
    num_nonnulls(user_id, person_name) = 1
    and num_nonnulls(person_subject, person_name, person_roles, person_permissions) in (0, 4));
