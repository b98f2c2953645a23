-- Version 18 of the schema: an execution of an activity waits once for the same.
-- Compatible with version 17.

-- Null in rows of older nodes, which are not compared. Of two rows the later one is refused at the
-- end of the statement that writes it: a commit may remove a bookmark and make the next one of its
-- execution, in whatever order.
alter table bookmarks add column execution int4;
alter table bookmarks
  add constraint bookmarks_once unique (workflow_instance_id, execution, hash)
  deferrable initially immediate;
