-- The address book of the phone app of a number, by the platform's digits or user id of the person. It names contacts without a
-- name, which may come later than their entry.
create table address_book_entries (
  workspace_id uuid not null references workspaces,
  channel_id uuid not null,
  person text not null,
  name text not null,
  -- The platform's time of the entry: the latest name counts.
  reported_at timestamptz(3) not null,
  primary key (workspace_id, channel_id, person),
  foreign key (workspace_id, channel_id) references channels (workspace_id, id)
);
alter table address_book_entries alter column workspace_id set (n_distinct = 1);
