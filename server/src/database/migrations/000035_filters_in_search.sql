-- Of 200,000 contacts, 4,000 have a tag that one in fifty has, and 15,000 were active within two weeks: to find those that both
-- lists hold costs more than to read the 150 that are in both. So one term says both, the week and the tag.
create function tags_in_weeks(tags text[], active_from timestamptz) returns text[] language sql stable parallel safe
return coalesce((select array_agg(week || ' ' || tag) from unnest(active_weeks(active_from)) as week, unnest(tags[:200]) as tag), '{}');

create function activity_terms(tags text[], active_from timestamptz) returns text[] language sql stable parallel safe
return active_periods(active_from) || tags_in_weeks(tags, active_from);

create or replace function add_periods_to_contact_search() returns trigger language plpgsql as $$
begin
  new.channel_types = new.channel_types || activity_terms(new.tags, new.active_from);
  return new;
end $$;
alter function add_periods_to_contact_search() rename to add_activity_to_contact_search;
alter trigger add_periods on contact_search rename to add_activity;

create or replace function search_by_activity() returns trigger language plpgsql as $$
begin
  update contact_search s
  set active_from = active_from(new.last_activity_at, new.created_at),
    active_until = active_until(new.last_activity_at, new.created_at),
    channel_types = array(select channel_type from unnest(s.channel_types) as channel_type
        where not starts_with(channel_type, E'\x1f'))
      || activity_terms(s.tags, active_from(new.last_activity_at, new.created_at))
  where s.workspace_id = new.workspace_id and s.contact_id = new.id;
  return null;
end $$;

-- Conversations are asked for by several filters at once, the open ones with a tag, those of an agent at a stage: which of the
-- thousands with the tag are open, the index of terms has to know. What a conversation is filtered by stands with its tags.
create function conversation_terms(tags text[], status text, assignee_id uuid, stage_id uuid, channel_type text,
  active_from timestamptz) returns text[] language sql stable parallel safe
return tags || array_remove(array[
    E'\x1fstatus ' || status,
    E'\x1fassignee ' || coalesce(assignee_id::text, 'none'),
    E'\x1fstage ' || stage_id,
    E'\x1fchannel_type ' || channel_type
  ], null) || activity_terms(tags, active_from);

drop trigger add_periods on conversation_search;
drop function add_periods_to_conversation_search();

create or replace function search_by_conversation() returns trigger language plpgsql as $$
begin
  insert into conversation_search as s (workspace_id, conversation_id, name, tags, active_from, active_until)
  values (new.workspace_id, new.id, coalesce(new.contact_name_folded, ''),
    conversation_terms(new.contact_tags, new.status, new.assignee_id, new.stage_id, new.channel_type, day_of(new.last_message_at)),
    day_of(new.last_message_at), day_of(new.last_message_at) + interval '24 hours')
  on conflict (workspace_id, conversation_id) do update
  set name = excluded.name, tags = excluded.tags,
    active_from = excluded.active_from, active_until = excluded.active_until;
  return null;
end $$;

drop trigger search_by_changed_conversation on conversations;
create trigger search_by_changed_conversation
after update of contact_id, contact_name_folded, contact_tags, status, assignee_id, stage_id, channel_type, last_message_at
on conversations
for each row when (
  (old.contact_name_folded, old.contact_tags, old.status, old.assignee_id, old.stage_id, old.channel_type, day_of(old.last_message_at))
  is distinct from
  (new.contact_name_folded, new.contact_tags, new.status, new.assignee_id, new.stage_id, new.channel_type, day_of(new.last_message_at)))
execute function search_by_conversation();
