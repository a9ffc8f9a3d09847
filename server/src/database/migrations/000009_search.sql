-- The search keys of the lists of contacts and conversations, and their index.

-- Apart from contacts, because every message updates a contact, and an updated row gets a new entry in all indexes. The keys are
-- written by `searchKey` in TypeScript: ASCII alone, as pg_trgm sees nothing else where LC_CTYPE is C.
create table contact_search (
  workspace_id uuid not null,
  contact_id uuid not null,
  name_key text not null,
  -- The e-mail address and the identifiers.
  address_key text not null,
  tags text[] not null,
  stage_id uuid,
  channel_types text[] not null,
  primary key (workspace_id, contact_id),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
);
-- No workspace is presumed small: the planner would read all its rows by the primary key instead of the index below.
alter table contact_search alter column workspace_id set (n_distinct = 1);
-- New entries wait in a list that is merged at 512 kB, some 280 contacts: a contact costs 0.04 ms of processor time, without the
-- list 0.4 ms.
create index contact_search_terms on contact_search
  using gin (workspace_id, name_key gin_trgm_ops, address_key gin_trgm_ops, tags, stage_id, channel_types)
  with (fastupdate = on, gin_pending_list_limit = 512);

-- A change of a contact or of its identities holds the contact's lock, so of two changes the second sees the first.
create function refresh_contact_search(workspace_ids uuid[], contact_ids uuid[]) returns void language sql as $$
  insert into contact_search as s (workspace_id, contact_id, name_key, address_key, tags, stage_id, channel_types)
  select c.workspace_id, c.id, c.name_key, c.email_key || i.keys, c.tags, c.stage_id, i.channel_types
  from (select distinct w.workspace_id, w.id from unnest(workspace_ids, contact_ids) as w (workspace_id, id)) w
  cross join lateral (select * from contacts o where o.workspace_id = w.workspace_id and o.id = w.id) c
  cross join lateral (
    select coalesce(string_agg(o.identifier_key, '' order by o.identifier), '') as keys,
      coalesce(array_agg(distinct o.channel_type), '{}') as channel_types
    from contact_identities o where o.workspace_id = w.workspace_id and o.contact_id = w.id
  ) i
  on conflict (workspace_id, contact_id) do update
  set name_key = excluded.name_key, address_key = excluded.address_key, tags = excluded.tags,
    stage_id = excluded.stage_id, channel_types = excluded.channel_types
$$;

create function search_by_new_identities() returns trigger language plpgsql as $$
begin
  perform refresh_contact_search(array_agg(workspace_id), array_agg(contact_id)) from written;
  return null;
end $$;
create trigger search_by_new_identities after insert on contact_identities
referencing new table as written for each statement execute function search_by_new_identities();

create function search_by_moved_identity() returns trigger language plpgsql as $$
begin
  perform refresh_contact_search(array[old.workspace_id, new.workspace_id], array[old.contact_id, new.contact_id]);
  return null;
end $$;
create trigger search_by_moved_identity after update of identifier, identifier_key, contact_id on contact_identities
for each row when ((old.identifier_key, old.contact_id) is distinct from (new.identifier_key, new.contact_id))
execute function search_by_moved_identity();

-- For each row, with a condition: the update that follows every message calls no function.
create function search_by_changed_contact() returns trigger language plpgsql as $$
begin
  perform refresh_contact_search(array[new.workspace_id], array[new.id]);
  return null;
end $$;
create trigger search_by_changed_contact after update of name_key, email_key, tags, stage_id on contacts
for each row when ((old.name_key, old.email_key, old.tags, old.stage_id)
  is distinct from (new.name_key, new.email_key, new.tags, new.stage_id))
execute function search_by_changed_contact();

-- The search of messages. A job fills it, so that a send pays nothing for it. Ids are ordered by time, and each segment covers the
-- messages from its first one to the next segment's: a search reads segments from the newest on until its page is full.
create table message_search_segments (
  workspace_id uuid not null,
  lowest_id uuid not null,
  number bigint not null generated always as identity,
  message_count integer not null,
  primary key (workspace_id, lowest_id),
  foreign key (workspace_id) references workspaces
);

create table message_search_progress (
  workspace_id uuid not null,
  -- The last message that the job has read.
  up_to uuid not null,
  primary key (workspace_id),
  foreign key (workspace_id) references workspaces
);

create table message_search (
  workspace_id uuid not null,
  message_id uuid not null,
  conversation_id uuid not null,
  written_by text not null,
  -- Each term stands behind the number of its segment, as `12.flat`, so that the index finds the beginnings of words within a
  -- segment. With the segment in a column of its own, a search for the beginning of a word reads the terms of all segments.
  segment_terms tsvector not null,
  primary key (workspace_id, message_id),
  foreign key (workspace_id, message_id) references messages on delete cascade
);
-- Without a list of new entries, which each segment's search would read from its beginning. The job writes into one segment at a
-- time, so the pages that it needs are few.
create index message_search_terms on message_search using gin (written_by, segment_terms) with (fastupdate = off);
