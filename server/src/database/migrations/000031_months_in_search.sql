-- What one in a hundred contacts has is found a thousand times, and a page shows 25. So a search can ask for those alone that
-- were active last in some month or in the one before: the terms of a row say so of two months. They stand in a list that is
-- indexed already, behind a sign that no type of channel has. A row moves in the index with the first message of a month.
create function active_months(active_from timestamptz) returns text[] language sql stable parallel safe
return array[
  E'\x1factive ' || to_char(active_from at time zone 'UTC', 'YYYY-MM'),
  E'\x1factive ' || to_char(active_from at time zone 'UTC' + interval '1 month', 'YYYY-MM')
];

-- Since when those were active whose terms say the month of this moment.
create function active_since(at timestamptz) returns timestamptz language sql immutable parallel safe
return (date_trunc('month', at at time zone 'UTC') - interval '1 month') at time zone 'UTC';

-- Before an insert: where the row stands already, what is excluded has the months too.
create function add_months_to_contact_search() returns trigger language plpgsql as $$
begin
  new.channel_types = new.channel_types || active_months(new.active_from);
  return new;
end $$;
create trigger add_months before insert on contact_search
for each row execute function add_months_to_contact_search();

create function add_months_to_conversation_search() returns trigger language plpgsql as $$
begin
  new.tags = new.tags || active_months(new.active_from);
  return new;
end $$;
create trigger add_months before insert on conversation_search
for each row execute function add_months_to_conversation_search();

create or replace function search_by_activity() returns trigger language plpgsql as $$
begin
  update contact_search s
  set active_from = active_from(new.last_activity_at, new.created_at),
    active_until = active_until(new.last_activity_at, new.created_at),
    channel_types = array(select channel_type from unnest(s.channel_types) as channel_type
        where not starts_with(channel_type, E'\x1f'))
      || active_months(active_from(new.last_activity_at, new.created_at))
  where s.workspace_id = new.workspace_id and s.contact_id = new.id;
  return null;
end $$;
