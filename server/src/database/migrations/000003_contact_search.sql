-- For migrations in parts: performs these statements for the rows of a table, 500 at a time in the order of their keys, with a
-- commit after each portion. $1 are the workspaces of a portion, $2 the ids.
create procedure in_portions(of regclass, variadic statements text[]) language plpgsql as $$
declare
  workspace_ids uuid[] := '{00000000-0000-0000-0000-000000000000}';
  ids uuid[] := '{00000000-0000-0000-0000-000000000000}';
  statement text;
begin
  loop
    execute format(
      'select array_agg(workspace_id order by workspace_id, id), array_agg(id order by workspace_id, id)
       from (select workspace_id, id from %s where (workspace_id, id) > ($1, $2) order by workspace_id, id limit 500) part', of)
    into workspace_ids, ids using workspace_ids[cardinality(ids)], ids[cardinality(ids)];
    exit when ids is null;
    foreach statement in array statements loop
      execute statement using workspace_ids, ids;
    end loop;
    commit;
  end loop;
end $$;

-- The filters of the list as an index: every text of 1, 2 and 4 characters in search_text, the tags, the stage and the
-- types of channel, each hashed together with the workspace, so that a search reads nothing of other workspaces. In a
-- table of its own, because contacts is written with every message that arrives, and a row that moves in one index moves
-- in all.
create table contact_search (
  workspace_id uuid not null,
  contact_id uuid not null,
  search_text text not null,
  tags text[] not null,
  stage_id uuid,
  channel_types text[] not null,
  primary key (workspace_id, contact_id),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
);

create function hash_terms(workspace_id uuid, terms text[]) returns bigint[]
language sql immutable parallel safe
return (select array_agg(distinct hashtextextended(term, uuid_hash_extended(workspace_id, 0))) from unnest(terms) as term);

-- Of a text or a list without measure only the beginning is indexed. The term `more` then says that there is more: such a
-- contact is looked at in every search. Of a text there are 3,000 terms at most: without the limit the planner expects
-- millions, and a server that compiles what looks so costly takes 50 ms for each contact, in every ANALYZE too.
create function contact_terms(workspace_id uuid, search_text text, tags text[], stage_id uuid, channel_types text[])
returns bigint[]
language sql immutable parallel safe
return (
  select array_agg(distinct hashtextextended(term, uuid_hash_extended(workspace_id, 0)))
  from (
    (
      select substr(part, start, size) as term
      from string_to_table(left(search_text, 1000), E'\x1f') as part, unnest('{1,2,4}'::integer[]) as size,
        generate_series(1, length(part) - size + 1) as start
      limit 3000
    )
    union all select E'\x1ftag ' || tag from unnest(tags[:200]) as tag
    union all select E'\x1fstage_id ' || stage_id where stage_id is not null
    union all select E'\x1fchannel_type ' || channel_type from unnest(channel_types) as channel_type
    union all select E'\x1fmore' where length(search_text) > 1000 or cardinality(tags) > 200
  ) as terms
);

-- New rows wait in a list that is merged into the index 512 kB at a time: a row by itself costs 0.5 ms, in the crowd 0.1.
create index contact_search_terms on contact_search
  using gin (contact_terms(workspace_id, search_text, tags, stage_id, channel_types))
  with (fastupdate = on, gin_pending_list_limit = 512);

-- The search follows names, addresses, tags, stages and identities whoever writes them: they are written when a message
-- arrives, when the platform tells of a new number, by upserts, imports and merges, and a story that forgot it would hide
-- a contact. The contacts are locked first: of two changes at once, the second sees what the first one did.
-- Planned once, for one contact as for a thousand: to plan it costs more than to run it.
create function refresh_contact_search(workspace_ids uuid[], contact_ids uuid[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform from contacts c
  join (select distinct w.workspace_id, w.id from unnest(workspace_ids, contact_ids) as w (workspace_id, id)) w
    on c.workspace_id = w.workspace_id and c.id = w.id
  order by c.workspace_id, c.id for no key update of c;

  with new as materialized (
    select c.workspace_id, c.id, c.tags, c.stage_id, coalesce(i.channel_types, '{}') as channel_types,
      concat_ws(E'\x1f', c.name_folded, lower(c.email), i.identifiers) as search_text, c.search_text as standing
    from (select distinct w.workspace_id, w.id from unnest(workspace_ids, contact_ids) as w (workspace_id, id)) w
    join contacts c on c.workspace_id = w.workspace_id and c.id = w.id
    cross join lateral (
      select string_agg(lower(o.identifier), E'\x1f' order by o.identifier) as identifiers,
        array_agg(distinct o.channel_type) as channel_types
      from contact_identities o where o.workspace_id = c.workspace_id and o.contact_id = c.id
    ) as i
  ), changed as (
    update contacts c set search_text = n.search_text from new n
    where c.workspace_id = n.workspace_id and c.id = n.id and n.search_text <> n.standing
  )
  insert into contact_search as s (workspace_id, contact_id, search_text, tags, stage_id, channel_types)
  select workspace_id, id, search_text, tags, stage_id, channel_types from new
  on conflict (workspace_id, contact_id) do update
  set search_text = excluded.search_text, tags = excluded.tags, stage_id = excluded.stage_id,
    channel_types = excluded.channel_types
  where (s.search_text, s.tags, s.stage_id, s.channel_types)
    is distinct from (excluded.search_text, excluded.tags, excluded.stage_id, excluded.channel_types);
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

-- How many contacts carry a tag is the sum of these changes. A count in one row would make everybody who sets that tag wait
-- for each other, and two imports with two tags for ever.
create table tag_changes (
  workspace_id uuid not null references workspaces,
  name text not null,
  change bigint not null
);
create index tag_changes_of_name on tag_changes (workspace_id, hashtextextended(name, 0));

create function add_tag_changes(workspace_ids uuid[], names text[], changes bigint[]) returns void language plpgsql as $$
begin
  insert into tag_changes (workspace_id, name, change)
  select c.workspace_id, c.name, sum(c.change) from unnest(workspace_ids, names, changes) as c (workspace_id, name, change)
  group by c.workspace_id, c.name having sum(c.change) <> 0;
  -- Now and then what is there of these tags is summed up; rows that somebody else is summing up are left to them.
  if random() < 0.05 then
    with gone as (
      delete from tag_changes where ctid = any (array(
        select t.ctid from (select distinct c.workspace_id, c.name from unnest(workspace_ids, names) as c (workspace_id, name)) n
        join tag_changes t on t.workspace_id = n.workspace_id and t.name = n.name
          and hashtextextended(t.name, 0) = hashtextextended(n.name, 0)
        for update of t skip locked))
      returning workspace_id, name, change
    )
    insert into tag_changes (workspace_id, name, change)
    select workspace_id, name, sum(change) from gone group by workspace_id, name having sum(change) <> 0;
  end if;
end $$;

-- For a statement and not for each row, so that an import of 1,000 is one refresh. It is asked after every message too, and
-- then only compares: hash joins are off in our sessions, but here no index helps.
create function follow_changed_contacts() returns trigger language plpgsql set enable_hashjoin = on as $$
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
create trigger follow_changed_contacts after update on contacts referencing old table as before new table as after
for each statement when (pg_trigger_depth() = 0) execute function follow_changed_contacts();

-- What a new contact is searched by, the identities tell that follow.
create function follow_new_contacts() returns trigger language plpgsql as $$
begin
  perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(1::bigint))
  from (select distinct workspace_id, id, unnest(tags) as name from after) as tagged;
  return null;
end $$;
create trigger follow_new_contacts after insert on contacts referencing new table as after
for each statement execute function follow_new_contacts();

create function follow_deleted_contacts() returns trigger language plpgsql as $$
begin
  perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(-1::bigint))
  from (select distinct workspace_id, id, unnest(tags) as name from before) as tagged;
  return null;
end $$;
create trigger follow_deleted_contacts after delete on contacts referencing old table as before
for each statement execute function follow_deleted_contacts();

-- What stands already: counted while these triggers keep writers out, and nobody who reads.
insert into tag_changes (workspace_id, name, change)
select workspace_id, tag, count(distinct id) from contacts, unnest(tags) as tag group by workspace_id, tag;
