-- in parts
-- Whom a broadcast reached, by conversation: for the next of its recipients, and for the conversations of an erased contact.
create index concurrently if not exists broadcast_recipients_reached
  on broadcast_recipients (workspace_id, conversation_id, broadcast_id) where conversation_id is not null;
