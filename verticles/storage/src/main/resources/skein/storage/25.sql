-- Version 25 of the schema: keys by which what workflows store is encrypted.
-- Compatible with version 24.

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
