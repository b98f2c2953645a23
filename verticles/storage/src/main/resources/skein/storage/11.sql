-- Version 11 of the schema: the id that names each state, and what repeats of a command are told.
-- Compatible with version 10.

-- Another for every decision. A commit names the state that it was decided on; a revision alone does
-- not: two decisions make the same revision of an instance. Null: written by a node of version 10.
alter table workflow_instances add column state_id uuid;

-- The id of the state that the row's commit made, the status that it left, and, where the reply to the
-- command cannot be derived from those, the reply. commit_id is the id of the command.
alter table journal add column state_id uuid;
alter table journal add column status text;
alter table journal add column reply bytea;
