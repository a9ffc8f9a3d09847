-- The list of conversations is searched by the name and the tags of the contact. As for contacts, an index in the form of a
-- table: the terms of both, and between which moments something was said last, to the day. Of many conversations that a
-- search finds, those of the latest days are read, and no others.
create table conversation_search (
  workspace_id uuid not null,
  conversation_id uuid not null,
  name text not null,
  tags text[] not null,
  active_from timestamptz not null,
  active_until timestamptz not null,
  primary key (workspace_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
) with (fillfactor = 90);

-- Written with its conversation, which is locked: what changes at the same moment waits.
create function search_by_conversation() returns trigger language plpgsql as $$
begin
  insert into conversation_search as s (workspace_id, conversation_id, name, tags, active_from, active_until)
  values (new.workspace_id, new.id, coalesce(new.contact_name_folded, ''), new.contact_tags,
    day_of(new.last_message_at), day_of(new.last_message_at) + interval '24 hours')
  on conflict (workspace_id, conversation_id) do update
  set name = excluded.name, tags = excluded.tags,
    active_from = excluded.active_from, active_until = excluded.active_until;
  return null;
end $$;
create trigger search_by_new_conversation after insert on conversations
for each row execute function search_by_conversation();
create trigger search_by_changed_conversation
after update of contact_id, contact_name_folded, contact_tags, last_message_at on conversations
for each row when ((old.contact_name_folded, old.contact_tags, day_of(old.last_message_at))
  is distinct from (new.contact_name_folded, new.contact_tags, day_of(new.last_message_at)))
execute function search_by_conversation();
