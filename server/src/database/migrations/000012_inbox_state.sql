-- The state of people in the inbox, by user: a membership ends, and its state with it.

-- How far a user has read a conversation. Without a row, everything before the user joined counts as read.
create table read_marks (
  workspace_id uuid not null,
  user_id uuid not null,
  conversation_id uuid not null,
  -- The last message that the user has read; null: none. Ids have the order of the messages.
  last_read_message_id uuid,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, user_id, conversation_id),
  foreign key (workspace_id, user_id) references users,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index read_marks_of_conversation on read_marks (workspace_id, conversation_id);

create table drafts (
  workspace_id uuid not null,
  user_id uuid not null,
  conversation_id uuid not null,
  -- reply, note
  kind text not null,
  body text not null,
  -- Another one with each change, also after a deletion: a tab with an older one does not overwrite.
  version uuid not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, user_id, conversation_id, kind),
  foreign key (workspace_id, user_id) references users,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index drafts_of_conversation on drafts (workspace_id, conversation_id);
create index drafts_updated on drafts (workspace_id, user_id, updated_at desc, version desc);

-- Who views a conversation, and who writes in it. An expired row counts as absent.
create table presences (
  workspace_id uuid not null,
  user_id uuid not null,
  conversation_id uuid not null,
  -- reply, note; null: the user only views.
  typing text,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, user_id, conversation_id),
  foreign key (workspace_id, user_id) references users,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
) with (fillfactor = 70);
create index presences_of_conversation on presences (workspace_id, conversation_id);

create table notification_settings (
  workspace_id uuid not null,
  user_id uuid not null,
  -- all, mine_and_unassigned, mine, none
  conversations text not null,
  mentions boolean not null,
  sound boolean not null,
  desktop boolean not null,
  -- Times of day such as 22:00, both or neither.
  quiet_from text,
  quiet_until text,
  -- An IANA name; null: the workspace's.
  timezone text,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references users
);

create table saved_views (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- Null: shared with the workspace.
  user_id uuid,
  name text not null,
  -- Filters of the list of conversations, but for the contact.
  filter json not null,
  contact_id uuid,
  position integer not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users,
  foreign key (workspace_id, contact_id) references contacts
);
create index saved_views_order on saved_views (workspace_id, user_id, position);
create index saved_views_contact on saved_views (workspace_id, contact_id) where contact_id is not null;

create table canned_replies (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- Null: shared with the workspace.
  user_id uuid,
  name text not null,
  -- The name folded, for searches by prefix.
  name_key text not null,
  body text not null,
  -- Null: for any language.
  language text,
  primary key (workspace_id, id),
  unique nulls not distinct (workspace_id, user_id, name_key, language),
  foreign key (workspace_id, user_id) references users
);
create index canned_replies_of_name on canned_replies (workspace_id, name_key, id);
