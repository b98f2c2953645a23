-- Version 25 of the schema: the pause of the runtime, deliveries of events that keep failing, and keys by which what workflows
-- store is encrypted.
-- Compatible with version 24.

-- One row while the runtime is paused, else none.
create table runtime_pause (
  single       boolean primary key default true check (single),
  paused_at    timestamptz not null default clock_timestamp(),
  reason       text,
  requested_by text
);

-- Why deliveries of events failed. Their timers are the deliveries: a row whose timer is gone says nothing and is removed now and
-- then. No reference: it would cost each timer that fires a look into this table.
create table delivery_failures (
  timer_id     text collate "C" primary key,
  -- Ids of such timers have a slash, which paths of requests do not carry well.
  id           text collate "C" not null generated always as (md5(timer_id)) stored unique,
  failed_since timestamptz not null default clock_timestamp(),
  failed_at    timestamptz not null default clock_timestamp(),
  code         text not null,
  message      text not null
);

-- Data keys, each encrypted by a master key that is not in the database. A key that is used stays, for
-- what was encrypted by it.
create table encryption_keys (
  number     int primary key check (number > 0),
  -- Names the master key that decrypts it.
  master_key text not null,
  wrapped    bytea not null,
  made_at    timestamptz not null default clock_timestamp(),
  -- Since when values are encrypted by it: when all nodes had it.
  used_at    timestamptz,
  -- Nothing is encrypted by it any more.
  retired_at timestamptz
);
revoke all on encryption_keys from public;

-- The newest data key that a node has, 0 when there is none yet; null: it could read no encrypted value.
alter table nodes add column encryption_key int;
