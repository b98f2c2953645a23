-- Version 22 of the schema: jobs for workers outside the cluster.
-- Compatible with version 21.

-- A job is a bookmark with a queue, which is its type and its definition with a slash between them. A worker that
-- leases it leaves its name and is given the lease; the timer with the id of the bookmark says until when.
alter table bookmarks
  add column job_queue  text collate "C",
  add column job        json,
  add column job_worker text,
  add column job_lease  uuid;
create index bookmarks_jobs on bookmarks (job_queue, created_at)
  where job_queue is not null and job_worker is null;
create index bookmarks_jobs_leased on bookmarks (job_worker) where job_worker is not null;

-- How many wait and are leased, as they were counted last.
alter table cluster_counts add column jobs json not null default '{}';
