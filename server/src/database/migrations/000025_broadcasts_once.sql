-- in parts
-- Whom a broadcast reached, by conversation: for the next of its recipients, and for the conversations of an erased contact.
create index concurrently if not exists broadcast_recipients_reached
  on broadcast_recipients (workspace_id, conversation_id, broadcast_id) where conversation_id is not null;

-- Places of the messaging tier that erased contacts took, without a word of whose: the platform counts them for 24 hours,
-- whatever becomes of the contact here. Without foreign keys, which would lock channels while they are made.
create table if not exists erased_places (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  channel_id uuid not null,
  taken_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create index if not exists erased_places_of_channel on erased_places (workspace_id, channel_id, taken_at);
