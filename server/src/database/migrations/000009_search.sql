-- The index of search terms for the lists of contacts and conversations: tables that hold what is searched, GIN indexes of
-- hashed terms, and the triggers that keep them.

-- Days and weeks are in UTC, whatever the workspace's calendar. Weeks begin on a Monday.
create function day_of(at timestamptz) returns timestamptz language sql immutable parallel safe
return date_bin('24 hours', at, timestamptz '2000-01-01T00:00:00Z');

create function week_of(at timestamptz) returns integer language sql immutable parallel safe
return ((at at time zone 'UTC')::date - date '0001-01-01') / 7;

create function start_of_week(week integer) returns timestamptz language sql immutable parallel safe
return (date '0001-01-01' + 7 * week)::timestamp at time zone 'UTC';

-- The term that says in which week a row was last active.
create function week_mark(week integer) returns text language sql immutable parallel safe
return E'\x1fweek ' || week;

-- A contact was last active between these times. They are kept to the day, so a contact who writes all day moves once.
create function active_from(last_activity_at timestamptz, created_at timestamptz) returns timestamptz
language sql immutable parallel safe return coalesce(day_of(last_activity_at), created_at);

create function active_until(last_activity_at timestamptz, created_at timestamptz) returns timestamptz
language sql immutable parallel safe return coalesce(day_of(last_activity_at) + interval '24 hours', created_at);

-- Terms are hashed together with the workspace, so that a search reads nothing of other workspaces.
create function hash_term(workspace_id uuid, term text) returns bigint language sql immutable parallel safe
return hashtextextended(term, uuid_hash_extended(workspace_id, 0));

create function hash_term(workspace_id uuid, term text, week_mark text) returns bigint language sql immutable parallel safe
return hashtextextended(term, hash_term(workspace_id, week_mark));

create function hash_terms(workspace_id uuid, terms text[]) returns bigint[]
language sql immutable parallel safe
return (select array_agg(distinct hashtextextended(term, uuid_hash_extended(workspace_id, 0))) from unnest(terms) as term);

-- The terms of a row: every text of 1, 2 and 4 characters, and the filters. Texts of four characters and filters also appear
-- hashed with the week, so that a search can read the latest weeks only. The week stands first among the types of channel, or
-- else among the tags. Of long texts and lists only the beginning is indexed; the term `more` marks such rows, and every search
-- reads them. There are 1,000 places at most: without a limit the planner expects millions and compiles the query.
create function contact_terms(workspace_id uuid, search_text text, tags text[], stage_id uuid, channel_types text[])
returns bigint[]
language sql immutable parallel safe
return (
  select array_agg(array[
    hashtextextended(one, seed),
    hashtextextended(two, seed),
    hashtextextended(four, seed),
    hashtextextended(four, case when length(four) < 4 then seed else week_seed end)
  ])
  from (
    select seed, case when starts_with(mark, E'\x1fweek ') then hashtextextended(mark, seed) else seed end as week_seed
    from uuid_hash_extended(workspace_id, 0) as seed, coalesce(channel_types[1], tags[1]) as mark
  ) as seeds, (
    (
      select substr(part, start, 1) as one, substr(part, start, 2) as two, substr(part, start, 4) as four
      from string_to_table(left(search_text, 1000), E'\x1f') as part, generate_series(1, length(part)) as start
      limit 1000
    )
    union all
    select mark, mark, mark
    from (
      select E'\x1ftag ' || tag from unnest(tags[:200]) as tag
      union all select E'\x1fstage_id ' || stage_id where stage_id is not null
      union all select E'\x1fchannel_type ' || channel_type from unnest(channel_types) as channel_type
      union all select E'\x1fmore' where length(search_text) > 1000 or cardinality(tags) > 200
    ) as marks (mark)
  ) as terms
);

-- Apart from contacts, because every inbound message updates a contact, and an updated row gets a new entry in all indexes.
create table contact_search (
  workspace_id uuid not null,
  contact_id uuid not null,
  search_text text not null,
  tags text[] not null,
  stage_id uuid,
  channel_types text[] not null,
  active_from timestamptz not null default '-infinity',
  active_until timestamptz not null default 'infinity',
  primary key (workspace_id, contact_id),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
) with (fillfactor = 90);
-- New entries wait in a list that is merged 512 kB at a time: a row alone costs 0.5 ms, in a batch 0.1 ms.
create index contact_search_terms on contact_search
  using gin (contact_terms(workspace_id, search_text, tags, stage_id, channel_types))
  with (fastupdate = on, gin_pending_list_limit = 512);

create function add_week_to_contact_search() returns trigger language plpgsql as $$
begin
  new.channel_types = week_mark(week_of(new.active_from)) || new.channel_types;
  return new;
end $$;
create trigger add_week before insert on contact_search
for each row execute function add_week_to_contact_search();

-- The contacts are locked first: of two simultaneous changes, the second sees the first. A generic plan, because planning costs
-- more than running.
create function refresh_contact_search(workspace_ids uuid[], contact_ids uuid[]) returns void
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

create function search_by_new_identities() returns trigger language plpgsql as $$
begin
  perform refresh_contact_search(array_agg(workspace_id), array_agg(contact_id)) from written;
  return null;
end $$;
create trigger search_by_new_identities after insert on contact_identities
referencing new table as written for each statement execute function search_by_new_identities();

create function search_by_other_identities() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform refresh_contact_search(array[old.workspace_id], array[old.contact_id]);
  else
    perform refresh_contact_search(array[old.workspace_id, new.workspace_id], array[old.contact_id, new.contact_id]);
  end if;
  return null;
end $$;
create trigger search_by_moved_identities after update of identifier, contact_id on contact_identities
for each row when ((old.identifier, old.contact_id) is distinct from (new.identifier, new.contact_id))
execute function search_by_other_identities();
create trigger search_without_identities after delete on contact_identities
for each row execute function search_by_other_identities();

-- Replaces the function of 000003_contacts, which follows tags only: one trigger for both compares the rows once.
create or replace function follow_changed_contacts() returns trigger language plpgsql set enable_hashjoin = on as $$
declare
  workspace_ids uuid[];
  ids uuid[];
begin
  select array_agg(n.workspace_id), array_agg(n.id) into workspace_ids, ids
  from before b join after n on n.workspace_id = b.workspace_id and n.id = b.id
  where (b.name_folded, b.email, b.tags, b.stage_id) is distinct from (n.name_folded, n.email, n.tags, n.stage_id);
  if ids is null then
    return null;
  end if;
  perform refresh_contact_search(workspace_ids, ids);
  perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(change)) from (
    select distinct workspace_id, id, unnest(tags) as name, -1::bigint as change from before
    union all select distinct workspace_id, id, unnest(tags), 1::bigint from after
  ) as changes;
  return null;
end $$;

create function search_by_activity() returns trigger language plpgsql as $$
begin
  update contact_search s
  set active_from = active_from(new.last_activity_at, new.created_at),
    active_until = active_until(new.last_activity_at, new.created_at),
    channel_types = week_mark(week_of(active_from(new.last_activity_at, new.created_at)))
      || array(select type from unnest(s.channel_types) as type where not starts_with(type, E'\x1f'))
  where s.workspace_id = new.workspace_id and s.contact_id = new.id;
  return null;
end $$;
create trigger search_by_activity after update of last_activity_at, created_at on contacts
for each row when ((active_from(old.last_activity_at, old.created_at), active_until(old.last_activity_at, old.created_at))
  <> (active_from(new.last_activity_at, new.created_at), active_until(new.last_activity_at, new.created_at)))
execute function search_by_activity();

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
create index conversation_search_terms on conversation_search
  using gin (contact_terms(workspace_id, name, tags, null, '{}'))
  with (fastupdate = on, gin_pending_list_limit = 512);

-- Most conversations are closed, so one term says both: open, and with the tag.
create function open_tags(tags text[], status text) returns text[] language sql immutable parallel safe
return case when status = 'open' then array(select E'\x1fopen ' || tag from unnest(tags[:200]) as tag) else '{}' end;

create function conversation_terms(tags text[], status text, assignee_id uuid, stage_id uuid, channel_type text,
  active_from timestamptz) returns text[] language sql stable parallel safe
return week_mark(week_of(active_from)) || tags || array_remove(array[
    E'\x1fstatus ' || status,
    E'\x1fassignee ' || coalesce(assignee_id::text, 'none'),
    E'\x1fstage ' || stage_id,
    E'\x1fchannel_type ' || channel_type
  ], null) || open_tags(tags, status);

create function search_by_conversation() returns trigger language plpgsql as $$
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
create trigger search_by_new_conversation after insert on conversations
for each row execute function search_by_conversation();
create trigger search_by_changed_conversation
after update of contact_id, contact_name_folded, contact_tags, status, assignee_id, stage_id, channel_type, last_message_at
on conversations
for each row when (
  (old.contact_name_folded, old.contact_tags, old.status, old.assignee_id, old.stage_id, old.channel_type, day_of(old.last_message_at))
  is distinct from
  (new.contact_name_folded, new.contact_tags, new.status, new.assignee_id, new.stage_id, new.channel_type, day_of(new.last_message_at)))
execute function search_by_conversation();
