-- Whose data a row holds, where nothing else of the row says so: an erasure finds the events and the stored answers of a
-- conversation, and the stored answers that show a contact.
alter table events add column conversation_id uuid;
alter table idempotency_keys add column conversation_id uuid, add column contact_id uuid;

-- The uuid of a public id: the alphabet's places of its 26 letters, 5 bits each, are 128 bits behind 2 that are zero.
create function pg_temp.uuid_of(public_id text) returns uuid language sql immutable as $$
  select string_agg(to_hex(substr(bits, place, 4)::bit(4)::int), '' order by place)::uuid
  from (
    select substr(string_agg((strpos('0123456789abcdefghjkmnpqrstvwxyz', letter) - 1)::bit(5)::text, '' order by n), 3) as bits
    from regexp_split_to_table(right(public_id, 26), '') with ordinality as l (letter, n)
  ) as id cross join generate_series(1, 125, 4) as place
$$;
update events set conversation_id = pg_temp.uuid_of(payload::json #>> '{data,conversation,id}')
where payload::json #>> '{data,conversation,id}' is not null;
update idempotency_keys set conversation_id = pg_temp.uuid_of(body::json ->> 'conversation_id')
where body::json ->> 'conversation_id' is not null;

-- With which of the contact's identities it is held: the one that wrote last. A contact has several after a merge, and an
-- answer goes to where the question came from. Absent while nobody has written: then it is the contact's oldest.
alter table conversations add column identifier text;

create index events_of_conversation on events (workspace_id, conversation_id) where conversation_id is not null;
create index idempotency_keys_of_conversation on idempotency_keys (workspace_id, conversation_id)
  where conversation_id is not null;
create index idempotency_keys_of_contact on idempotency_keys (workspace_id, contact_id) where contact_id is not null;
