-- Version 25 of the schema: sessions of people whom an OpenID provider has signed in.
-- Compatible with version 23. Nodes of it take no refresh tokens of these sessions.

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
