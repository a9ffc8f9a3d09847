-- What the platform reported and the service does not apply, as it came.
create table platform_notices (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  channel_id uuid not null,
  field text not null,
  -- Why it is not applied: names of types and fields, never content.
  reason text not null,
  -- Text, because a long one is cut.
  raw text not null,
  received_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, channel_id) references channels (workspace_id, id)
);
alter table platform_notices alter column workspace_id set (n_distinct = 1);
