-- Version 27 of the schema: bookmarks and idempotency keys are vacuumed less often.
-- Compatible with version 26.

-- What waits ends in any order, so the dead rows of these tables lie everywhere, and a vacuum changes most
-- pages of the table and of its indexes, however few of each. With a tenth of the rows dead, in place of a
-- fiftieth, it writes a third of the log for each.
alter table bookmarks set (autovacuum_vacuum_scale_factor = 0.1);
-- Their primary key is a hash; 0.05 so far.
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.1);
