-- in parts
create index concurrently if not exists messages_of_broadcast on messages (workspace_id, broadcast_id, status)
  where broadcast_id is not null;

create index concurrently if not exists messages_initiating on messages (workspace_id, channel_id, created_at, conversation_id)
  where initiates;
