-- Between which moments a contact was last active: in the list it stands between them. Of many that a search finds, the
-- latest are known by it, and no others are read. It is kept to the day, so that a contact who writes all day moves here
-- once; one who never was active has stood at one moment since it was created. What is not filled yet may stand anywhere.
alter table contact_search
  add column active_from timestamptz not null default '-infinity',
  add column active_until timestamptz not null default 'infinity',
  -- A row that moves into another page moves in the index of terms, 150 entries of it.
  set (fillfactor = 90);

-- In UTC, whatever the calendar of the workspace.
create function day_of(at timestamptz) returns timestamptz language sql immutable parallel safe
return date_bin('24 hours', at, timestamptz '2000-01-01T00:00:00Z');

create function active_from(last_activity_at timestamptz, created_at timestamptz) returns timestamptz
language sql immutable parallel safe return coalesce(day_of(last_activity_at), created_at);

create function active_until(last_activity_at timestamptz, created_at timestamptz) returns timestamptz
language sql immutable parallel safe return coalesce(day_of(last_activity_at) + interval '24 hours', created_at);

-- As before, save for the activity.
create or replace function refresh_contact_search(workspace_ids uuid[], contact_ids uuid[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform from contacts c
  join (select distinct w.workspace_id, w.id from unnest(workspace_ids, contact_ids) as w (workspace_id, id)) w
    on c.workspace_id = w.workspace_id and c.id = w.id
  order by c.workspace_id, c.id for no key update of c;

  with new as materialized (
    select c.workspace_id, c.id, c.tags, c.stage_id, coalesce(i.channel_types, '{}') as channel_types,
      active_from(c.last_activity_at, c.created_at), active_until(c.last_activity_at, c.created_at),
      concat_ws(E'\x1f', c.name_folded, lower(c.email), i.identifiers) as search_text, c.search_text as standing
    from (select distinct w.workspace_id, w.id from unnest(workspace_ids, contact_ids) as w (workspace_id, id)) w
    join contacts c on c.workspace_id = w.workspace_id and c.id = w.id
    cross join lateral (
      select string_agg(coalesce(o.identifier_folded, lower(o.identifier)), E'\x1f' order by o.identifier) as identifiers,
        array_agg(distinct o.channel_type) as channel_types
      from contact_identities o where o.workspace_id = c.workspace_id and o.contact_id = c.id
    ) as i
  ), changed as (
    update contacts c set search_text = n.search_text from new n
    where c.workspace_id = n.workspace_id and c.id = n.id and n.search_text <> n.standing
  )
  insert into contact_search as s
    (workspace_id, contact_id, search_text, tags, stage_id, channel_types, active_from, active_until)
  select workspace_id, id, search_text, tags, stage_id, channel_types, active_from, active_until from new
  on conflict (workspace_id, contact_id) do update
  set search_text = excluded.search_text, tags = excluded.tags, stage_id = excluded.stage_id,
    channel_types = excluded.channel_types, active_from = excluded.active_from, active_until = excluded.active_until
  where (s.search_text, s.tags, s.stage_id, s.channel_types, s.active_from, s.active_until)
    is distinct from (excluded.search_text, excluded.tags, excluded.stage_id, excluded.channel_types,
      excluded.active_from, excluded.active_until);
end $$;

-- Most messages find their contact on the day where it stands. The contact is locked by who changes it.
create function search_by_activity() returns trigger language plpgsql as $$
begin
  update contact_search s
  set active_from = active_from(new.last_activity_at, new.created_at),
    active_until = active_until(new.last_activity_at, new.created_at)
  where s.workspace_id = new.workspace_id and s.contact_id = new.id;
  return null;
end $$;
create trigger search_by_activity after update of last_activity_at, created_at on contacts
for each row when ((active_from(old.last_activity_at, old.created_at), active_until(old.last_activity_at, old.created_at))
  <> (active_from(new.last_activity_at, new.created_at), active_until(new.last_activity_at, new.created_at)))
execute function search_by_activity();
