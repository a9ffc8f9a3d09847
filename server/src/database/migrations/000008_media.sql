-- The bytes are in the file store under (workspace_id, id); a row says that they are there, whole.
create table media (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- As found in the bytes, never as declared.
  mime text not null,
  filename text,
  size_bytes bigint not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index media_age on media (created_at, id);

-- Under which id the platform holds a copy, which it does for each number by itself, and until when it is to be used.
create table media_on_platform (
  workspace_id uuid not null,
  media_id uuid not null,
  channel_id uuid not null,
  platform_media_id text not null,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, media_id, channel_id),
  foreign key (workspace_id, media_id) references media on delete cascade,
  foreign key (workspace_id, channel_id) references channels
);

-- What a message names is there: a file cannot be cleaned up while one refers to it.
alter table messages
  add constraint messages_workspace_id_media_id_fkey foreign key (workspace_id, media_id) references media not valid;
