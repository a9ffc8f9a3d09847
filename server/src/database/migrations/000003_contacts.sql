-- The custom fields of a workspace. A key may be of any length, so its digest is unique.
create table custom_fields (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  key text not null,
  label text,
  type text not null,
  options text[],
  primary key (workspace_id, id)
);
create unique index custom_fields_key on custom_fields (workspace_id, md5(key));

create table contacts (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text,
  -- The search keys of the name and the e-mail address, written by `searchKey`.
  name_key text not null default '',
  email text,
  email_key text not null default '',
  language text,
  dialect text,
  vip boolean not null default false,
  blocked boolean not null default false,
  tags text[] not null default '{}',
  stage_id uuid,
  consents json not null default '{}',
  -- The time of the platform's last report on marketing: reports come late, more than once and in any order.
  marketing_told_at timestamptz(3),
  custom_fields json not null default '{}',
  last_activity_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, stage_id) references stages
);
-- The order of the list. No other index contains last_activity_at: every inbound message updates it, and each further index
-- would cost every message one more entry.
create index contacts_activity on contacts (workspace_id, (coalesce(last_activity_at, created_at)) desc, id desc);

create table contact_identities (
  workspace_id uuid not null,
  channel_type text not null,
  -- E.164 for a phone number.
  identifier text not null,
  identifier_key text not null default '',
  contact_id uuid not null,
  display_name text,
  -- The platform's own spelling of the same number, learned from its answers and notifications. It may differ from the
  -- identifier (Brazil, Mexico, Argentina).
  wa_id text,
  user_id text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, channel_type, identifier),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
);
create unique index contact_identities_wa_id on contact_identities (workspace_id, channel_type, wa_id) where wa_id is not null;
create unique index contact_identities_user_id on contact_identities (workspace_id, channel_type, user_id) where user_id is not null;
create index contact_identities_contact on contact_identities (workspace_id, contact_id);

-- Every spelling of a contact's number before the platform reported a new one. Stored answers of idempotency keys contain it
-- for a day, and an erasure finds them by it. Another contact may have the number by now.
create table contact_former_names (
  workspace_id uuid not null,
  contact_id uuid not null,
  name text not null,
  -- The platform's time of the change: it repeats its report, and the contact may have the number again by then.
  left_at timestamptz(3) not null,
  primary key (workspace_id, contact_id, name),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
);
create index contact_former_names_name on contact_former_names (workspace_id, name);

-- The evidence of consents: each grant and withdrawal, in the transaction of the change. No statement updates a record, but a merge
-- moves it. `contacts.consents` is the state that results.
create table consent_records (
  workspace_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- The key and the new value in `contacts.consents`.
  consent text not null,
  value json not null,
  source text not null,
  -- What the contact was shown or wrote, where known.
  shown_text text,
  -- The message by which the contact decided.
  message_id uuid,
  actor_kind text not null,
  actor_id uuid,
  -- The prefix of an API key.
  actor_name text,
  -- The moment of the decision, by the platform's time for one that the contact made there.
  decided_at timestamptz(3) not null,
  recorded_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
);
create index consent_records_contact on consent_records (workspace_id, contact_id, decided_at desc, id desc);

-- The whole texts by which customers withdraw their consent to marketing, or grant it again. Without a row, the defaults count.
create table consent_settings (
  workspace_id uuid primary key references workspaces,
  stop_words text[] not null,
  start_words text[] not null
);

-- The number of contacts with a tag is the sum of these changes. With one row per tag, all writers of a tag would wait for
-- each other, and two imports with two tags would deadlock.
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
  -- One call in twenty sums up the rows of its tags, except those that another transaction is summing up.
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

-- Triggers per statement, not per row: an import of 1,000 contacts is one insert into tag_changes. Most new contacts have no
-- tag: the check costs 0.006 ms, a sum over nothing 0.04 ms.
create function follow_new_contacts() returns trigger language plpgsql as $$
begin
  perform from after where tags <> '{}';
  if not found then return null; end if;
  perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(1::bigint))
  from (select distinct workspace_id, id, unnest(tags) as name from after) as tagged;
  return null;
end $$;
create trigger follow_new_contacts after insert on contacts referencing new table as after
for each statement execute function follow_new_contacts();

-- It runs after every inbound message too, and then only compares. Not a join: our sessions turn hash joins off, and without
-- them a join compares each of 1,000 rows with each.
create function follow_changed_contacts() returns trigger language plpgsql as $$
begin
  perform from (select workspace_id, id, tags from before except select workspace_id, id, tags from after) as changed;
  if found then
    perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(change)) from (
      select distinct workspace_id, id, unnest(tags) as name, -1::bigint as change from before
      union all select distinct workspace_id, id, unnest(tags), 1::bigint from after
    ) as changes;
  end if;
  return null;
end $$;
create trigger follow_changed_contacts after update on contacts referencing old table as before new table as after
for each statement when (pg_trigger_depth() = 0) execute function follow_changed_contacts();

create function follow_deleted_contacts() returns trigger language plpgsql as $$
begin
  perform from before where tags <> '{}';
  if not found then return null; end if;
  perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(-1::bigint))
  from (select distinct workspace_id, id, unnest(tags) as name from before) as tagged;
  return null;
end $$;
create trigger follow_deleted_contacts after delete on contacts referencing old table as before
for each statement execute function follow_deleted_contacts();
