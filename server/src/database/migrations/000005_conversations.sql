-- What takes the strongest lock comes first: whoever had a weaker one already would wait for those who wait for it.
-- A conversation may be open several times. Its first stretch begins when it is created, the others when it reopens.
alter table conversations
  add column reopened_at timestamptz(3),
  -- The agent to whom it was handed over, while a bot controls it.
  add column ai_agent_id uuid,
  add constraint conversations_workspace_id_ai_agent_id_fkey foreign key (workspace_id, ai_agent_id) references ai_agents not valid;

-- What the list is searched by of the contact, beside the conversation: a walk that had to look up each contact would
-- take four times as long. The database keeps it, whoever writes: a path that forgot it would hide a conversation.
alter table conversations
  add column contact_name_folded text,
  add column contact_tags text[] not null default '{}';

-- What the operator sets for the conversations of a workspace, and whose turn it was last: one row for each, so that
-- whoever assigns by turns locks this and nothing that others wait for.
create table conversation_settings (
  workspace_id uuid primary key references workspaces,
  -- round_robin, none
  assignment text not null default 'round_robin',
  -- What a customer is asked when a conversation closes; null: the wording of the workspace's language.
  csat_text text,
  last_assignee_id uuid
);
insert into conversation_settings (workspace_id) select id from workspaces;

-- Each time that a conversation was closed, kept when it opens again: who closed it and why, and where it stood.
create table conversation_closings (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  -- When the stretch that ended here had begun.
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3) not null,
  closed_by uuid,
  category_id uuid,
  summary text,
  stage_id uuid,
  assignee_id uuid,
  team_id uuid,
  -- The satisfaction survey that was sent, if one was asked for and nothing stood against it.
  survey_message_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade,
  foreign key (workspace_id, category_id) references closing_categories
);
create index conversation_closings_of_conversation on conversation_closings (workspace_id, conversation_id);
create index conversation_closings_closed_at on conversation_closings (workspace_id, closed_at);

-- Teammates whom a note names.
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

create function copy_contact_to_conversation() returns trigger language plpgsql as $$
begin
  select k.name_folded, k.tags into new.contact_name_folded, new.contact_tags
  from contacts k where k.workspace_id = new.workspace_id and k.id = new.contact_id;
  new.contact_tags := coalesce(new.contact_tags, '{}');
  return new;
end $$;
create trigger contact_of_new before insert on conversations
for each row execute function copy_contact_to_conversation();
create trigger contact_of_moved before update of contact_id on conversations
for each row when (old.contact_id <> new.contact_id) execute function copy_contact_to_conversation();

create function copy_contact_to_conversations() returns trigger language plpgsql as $$
begin
  perform from conversations c where c.workspace_id = new.workspace_id and c.contact_id = new.id
  order by c.id for no key update;
  update conversations c set contact_name_folded = new.name_folded, contact_tags = new.tags
  where c.workspace_id = new.workspace_id and c.contact_id = new.id;
  return null;
end $$;
create trigger conversations_of_changed after update of name_folded, tags on contacts
for each row when ((old.name_folded, old.tags) is distinct from (new.name_folded, new.tags))
execute function copy_contact_to_conversations();
