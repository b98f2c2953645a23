-- Version 13 of the schema: which activities the nodes have.
-- Compatible with version 12.

-- The types of those that are not built in.
alter table nodes add column activities text[] not null default '{}';
