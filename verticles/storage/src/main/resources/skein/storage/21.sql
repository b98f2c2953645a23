-- Version 21 of the schema: who may do what.
-- Compatible with version 20.

-- Sets of permissions by name, beside those that are built in.
create table identity_roles (
  id          text primary key,
  name        text not null,
  permissions text[] not null,
  created_at  timestamptz not null default clock_timestamp()
);
create unique index identity_roles_name on identity_roles (lower(name));

-- The password is a hash with its salt and its cost.
create table identity_users (
  id         text primary key,
  name       text not null,
  password   text not null,
  roles      text[] not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index identity_users_name on identity_users (lower(name));

-- Programs, each with a key of which only the SHA-256 is here.
create table identity_applications (
  id           text primary key,
  name         text not null,
  client_id    text not null unique,
  key_hash     bytea not null unique check (length(key_hash) = 32),
  roles        text[] not null,
  permissions  text[] not null,
  expires_at   timestamptz,
  last_used_at timestamptz,
  created_at   timestamptz not null default clock_timestamp()
);

-- What began with a sign-in, and ends for all its refresh tokens at once.
create table identity_sessions (
  id         uuid primary key,
  user_id    text not null references identity_users (id) on delete cascade,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index identity_sessions_user on identity_sessions (user_id);
create index identity_sessions_expires on identity_sessions (expires_at);

-- Of a refresh token only the SHA-256 is here; one that was used stays, so that it is known when it comes again.
create table identity_refresh_tokens (
  hash       bytea primary key check (length(hash) = 32),
  session_id uuid not null references identity_sessions (id) on delete cascade,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index identity_refresh_tokens_session on identity_refresh_tokens (session_id);

-- Whoever reads this may sign access tokens. Nodes without a key of their own have it from here.
create table identity_signing_keys (
  purpose text primary key,
  secret  text not null check (length(secret) >= 32),
  made_at timestamptz not null default clock_timestamp()
);
revoke all on identity_users, identity_applications, identity_sessions, identity_refresh_tokens,
  identity_signing_keys from public;
