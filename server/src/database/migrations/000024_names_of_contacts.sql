-- An identifier as it is searched, where small letters alone are not that: a handle may have accents and vowel signs. Only
-- the service can fold a text; what it wrote before this keeps its spelling.
alter table contact_identities add column identifier_folded text;

-- What a contact was called before the platform told of their new number: each spelling of it. Answers of idempotency keys
-- keep it for a day, and are found by it when the contact is erased. Another contact may have the number by now.
create table contact_former_names (
  workspace_id uuid not null,
  contact_id uuid not null,
  name text not null,
  primary key (workspace_id, contact_id, name),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
);

-- As before, save for the folded identifiers.
create or replace function refresh_contact_search(workspace_ids uuid[], contact_ids uuid[]) returns void
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
      select string_agg(coalesce(o.identifier_folded, lower(o.identifier)), E'\x1f' order by o.identifier) as identifiers,
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
