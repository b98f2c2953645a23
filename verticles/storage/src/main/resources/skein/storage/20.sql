-- Version 20 of the schema: where the members of each cluster are reached, and the secret that they prove.
-- Compatible with version 19.

-- A node that is told of no others finds them here; so do nodes that start with it.
create table cluster_members (
  cluster    text not null,
  address    text not null,
  node_id    text not null,
  entered_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (cluster, address)
);

-- Whoever reads this may join the cluster. Nodes without a secret of their own have it from here.
create table cluster_secrets (
  cluster text primary key,
  secret  text not null check (length(secret) >= 32),
  made_at timestamptz not null default clock_timestamp()
);
revoke all on cluster_secrets from public;
