-- Version 19 of the schema: the audit log names what was changed, and how that ended.
-- Compatible with version 18.

-- The id of a line that is written before the change it is about; null in lines that are complete.
alter table audit_log add column id uuid;
-- What was changed, beside instances and bookmarks: a definition, a schedule, a node, …
alter table audit_log add column subject text;
create index audit_log_unknown on audit_log (id) where outcome = 'unknown';
