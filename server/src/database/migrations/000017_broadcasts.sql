alter table messages
  add column broadcast_id uuid,
  -- A template outside an open window: the platform counts it against the messaging tier of the number, once for each
  -- customer in 24 hours.
  add column initiates boolean not null default false;

create table broadcasts (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  channel_id uuid not null,
  template_name text not null,
  template_language text not null,
  -- Whom it is for: contacts with any of the tags, those at a stage, or the rows of broadcast_recipients as given.
  tags text[],
  stage_id uuid,
  status text not null,
  send_at timestamptz(3) not null,
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, channel_id) references channels
);

-- waiting: not yet handed over. accepted: message_id was. refused: error says why.
create table broadcast_recipients (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  position integer not null,
  -- E.164.
  identifier text not null,
  params text[] not null default '{}',
  status text not null default 'waiting',
  error text,
  message_id uuid,
  conversation_id uuid,
  -- When the customer first wrote after it.
  replied_at timestamptz(3),
  primary key (workspace_id, broadcast_id, position),
  -- Nobody gets a broadcast twice.
  unique (workspace_id, broadcast_id, identifier),
  foreign key (workspace_id, broadcast_id) references broadcasts,
  foreign key (workspace_id, message_id) references messages on delete cascade,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
) with (fillfactor = 85);
create index broadcast_recipients_waiting on broadcast_recipients (workspace_id, broadcast_id, position)
  where status = 'waiting';
create index broadcast_recipients_number on broadcast_recipients (workspace_id, identifier);
create index broadcast_recipients_message on broadcast_recipients (workspace_id, message_id) where message_id is not null;
create index broadcast_recipients_unreplied on broadcast_recipients (workspace_id, conversation_id)
  where conversation_id is not null and replied_at is null;
