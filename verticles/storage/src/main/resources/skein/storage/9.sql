-- Version 9 of the schema: requests that are answered once, whoever repeats them.

-- A row for each idempotency key of the last hours. While the first request with it is under way,
-- neither reply nor status is there. Columns that change are in no index, so that updates stay on
-- their page.
create table idempotency_keys (
  -- SHA-256 of the key as the caller wrote it.
  key           text collate "C" primary key,
  -- SHA-256 of the request: another one under this key is a mistake.
  fingerprint   text not null,
  -- Who executes it: the id of its commit, when it has one. Only that commit may take effect.
  claim         uuid not null,
  node          text not null,
  claimed_until timestamptz not null,
  expires_at    timestamptz not null,
  -- Written by the commit that did what was asked for.
  reply         bytea,
  complete      boolean not null default false,
  -- Written at the end: status, headers and body of the answer.
  status        int,
  head          text,
  body          bytea
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
create index idempotency_keys_expire on idempotency_keys (expires_at);
