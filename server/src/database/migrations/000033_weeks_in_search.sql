-- Of a thousand hits, those of two months are many still: the terms of a row say of two weeks too that it was active in them.
create function active_weeks(active_from timestamptz) returns text[] language sql stable parallel safe
return array[
  E'\x1factive ' || to_char(active_from at time zone 'UTC', 'IYYY-"W"IW'),
  E'\x1factive ' || to_char(active_from at time zone 'UTC' + interval '7 days', 'IYYY-"W"IW')
];

-- Since when those were active whose terms say the week of this moment; weeks are those of ISO 8601.
create function active_since_week(at timestamptz) returns timestamptz language sql immutable parallel safe
return (date_trunc('week', at at time zone 'UTC') - interval '7 days') at time zone 'UTC';

create function active_periods(active_from timestamptz) returns text[] language sql stable parallel safe
return active_months(active_from) || active_weeks(active_from);

create or replace function add_months_to_contact_search() returns trigger language plpgsql as $$
begin
  new.channel_types = new.channel_types || active_periods(new.active_from);
  return new;
end $$;
alter function add_months_to_contact_search() rename to add_periods_to_contact_search;

create or replace function add_months_to_conversation_search() returns trigger language plpgsql as $$
begin
  new.tags = new.tags || active_periods(new.active_from);
  return new;
end $$;
alter function add_months_to_conversation_search() rename to add_periods_to_conversation_search;

alter trigger add_months on contact_search rename to add_periods;
alter trigger add_months on conversation_search rename to add_periods;

create or replace function search_by_activity() returns trigger language plpgsql as $$
begin
  update contact_search s
  set active_from = active_from(new.last_activity_at, new.created_at),
    active_until = active_until(new.last_activity_at, new.created_at),
    channel_types = array(select channel_type from unnest(s.channel_types) as channel_type
        where not starts_with(channel_type, E'\x1f'))
      || active_periods(active_from(new.last_activity_at, new.created_at))
  where s.workspace_id = new.workspace_id and s.contact_id = new.id;
  return null;
end $$;
