-- How long a workspace keeps closed conversations after their last message. Without a row nobody has decided; null keeps them.
create table retention_settings (
  workspace_id uuid not null,
  conversation_days integer check (conversation_days between 30 and 3650),
  primary key (workspace_id),
  foreign key (workspace_id) references workspaces (id)
);
alter table retention_settings alter column workspace_id set (n_distinct = 1);

-- Sent messages that the retention deleted, which stay in the usage. Midnight of every time zone begins a quarter of an hour.
create table deleted_message_counts (
  workspace_id uuid not null,
  quarter_at timestamptz(3) not null,
  sent bigint not null,
  primary key (workspace_id, quarter_at),
  foreign key (workspace_id) references workspaces (id)
);
alter table deleted_message_counts alter column workspace_id set (n_distinct = 1);

-- Recipients of a broadcast whose conversations the retention deleted. Their numbers stay in its figures.
create table deleted_recipient_counts (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  recipients integer not null,
  replied integer not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  failed integer not null,
  primary key (workspace_id, broadcast_id),
  foreign key (workspace_id, broadcast_id) references broadcasts (workspace_id, id)
);
alter table deleted_recipient_counts alter column workspace_id set (n_distinct = 1);
