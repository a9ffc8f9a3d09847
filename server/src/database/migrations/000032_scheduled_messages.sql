-- Messages that people wrote and that are sent at a later time.
create table scheduled_messages (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  -- Who wrote the present content. The message is sent in their name.
  user_id uuid not null,
  -- As the person's send has it.
  content json not null,
  -- The text that a person reads. Null where a file alone is sent.
  preview text,
  media_id uuid,
  send_at timestamptz(3) not null,
  -- scheduled, sent, failed or cancelled.
  state text not null,
  -- Another one with each change.
  version integer not null,
  message_id uuid,
  -- Why it was refused at its time.
  failure_code text,
  failure_detail text,
  created_at timestamptz(3) not null,
  changed_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id)
);
alter table scheduled_messages alter column workspace_id set (n_distinct = 1);
create index scheduled_messages_of_conversation on scheduled_messages (workspace_id, conversation_id, send_at, id);
create index scheduled_messages_waiting on scheduled_messages (workspace_id, send_at) where state in ('scheduled', 'failed');
create index scheduled_messages_changed on scheduled_messages (changed_at) where state <> 'scheduled';

create function publish_scheduled_message() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id)
  values (new.workspace_id, 'scheduled_message', new.conversation_id, new.id);
  return null;
end $$;
create trigger publish_scheduled_message after insert or update on scheduled_messages
for each row execute function publish_scheduled_message();
