-- in parts
create index concurrently if not exists events_unplaced on events (created_at, id) where position is null;

create unique index concurrently if not exists events_position on events (position) where position is not null;

create index concurrently if not exists events_position_of_workspace on events (workspace_id, position)
  where position is not null;
