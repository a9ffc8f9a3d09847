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

create or replace function add_periods_to_conversation_search() returns trigger language plpgsql as $$
begin
  new.tags = new.tags || activity_terms(new.tags, new.active_from);
  return new;
end $$;
alter function add_periods_to_conversation_search() rename to add_activity_to_conversation_search;

alter trigger add_periods on contact_search rename to add_activity;
alter trigger add_periods on conversation_search rename to add_activity;

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
