create table messages (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  channel_id uuid not null,
  direction text not null,
  kind text not null,
  body text,
  -- The foreign key keeps the clean-up from removing a file that a message names.
  media_id uuid,
  filename text,
  mime text,
  size_bytes bigint,
  reply_to_id uuid,
  actor_kind text,
  actor_id uuid,
  -- Null for notes.
  status text,
  error text,
  -- Outbound: the addressee, fixed when the message was accepted.
  recipient text,
  -- A kind's data beyond its body: a template's components, buttons, a location; inbound: the platform's own item.
  content json,
  platform_message_id text,
  -- The platform's answer was lost. A report of the platform or the end of the reconcile window clears this.
  outcome_unknown boolean not null default false,
  -- The pricing from the first status that had it. The fee is due with a later status, which may lack it. No index contains it, so a change of status stays within the row's page.
  pricing json,
  broadcast_id uuid,
  -- A template outside an open window: the platform counts it against the number's messaging tier, once per customer in
  -- 24 hours.
  initiates boolean not null default false,
  created_at timestamptz(3) not null,
  -- The history of a send, for people who ask what happened to it. The updates that store the outcome write it, and no index has it.
  -- The point of no return of the call that had an outcome, and the moment of the platform's answer.
  dispatched_at timestamptz(3),
  platform_accepted_at timestamptz(3),
  -- The platform's time of each status, where it gave one.
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  read_at timestamptz(3),
  failed_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations,
  foreign key (workspace_id, media_id) references media
) with (fillfactor = 85);
create index messages_of_conversation on messages (workspace_id, conversation_id, id desc);
create unique index messages_platform_id on messages (channel_id, platform_message_id) where platform_message_id is not null;
create index messages_media on messages (workspace_id, media_id) where media_id is not null;
create index messages_sent on messages (workspace_id, created_at) where direction = 'outbound' and kind <> 'note';
create index messages_of_template on messages (workspace_id, (content ->> 'name'), created_at)
  where direction = 'outbound' and kind = 'template';
create index messages_of_broadcast on messages (workspace_id, broadcast_id, status) where broadcast_id is not null;
create index messages_initiating on messages (workspace_id, channel_id, created_at, conversation_id) where initiates;

-- The teammates that a note mentions.
create table note_mentions (
  workspace_id uuid not null,
  message_id uuid not null,
  user_id uuid not null,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  primary key (workspace_id, message_id, user_id),
  foreign key (workspace_id, message_id) references messages on delete cascade,
  foreign key (workspace_id, user_id) references users on delete cascade
);
create index note_mentions_of_user on note_mentions (workspace_id, user_id, message_id desc);
