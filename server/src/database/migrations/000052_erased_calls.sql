-- The calls of erased contacts, by a digest of the platform's id: a late end must not make the contact again. Deleted after a week.
create table erased_calls (
  workspace_id uuid not null references workspaces (id),
  digest uuid not null,
  called_at timestamptz(3) not null,
  primary key (workspace_id, digest)
);
alter table erased_calls alter column workspace_id set (n_distinct = 1);
create index erased_calls_called_at on erased_calls (called_at);
