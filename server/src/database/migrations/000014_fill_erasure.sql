-- in parts
create index concurrently if not exists events_of_conversation on events (workspace_id, conversation_id)
  where conversation_id is not null;

create index concurrently if not exists idempotency_keys_of_conversation on idempotency_keys (workspace_id, conversation_id)
  where conversation_id is not null;

create index concurrently if not exists idempotency_keys_of_contact on idempotency_keys (workspace_id, contact_id)
  where contact_id is not null;

-- The uuid of a public id: the alphabet's places of its 26 letters, 5 bits each, are 128 bits behind 2 that are zero.
create or replace function pg_temp.uuid_of(public_id text) returns uuid language sql immutable as $$
  select string_agg(to_hex(substr(bits, place, 4)::bit(4)::int), '' order by place)::uuid
  from (
    select substr(string_agg((strpos('0123456789abcdefghjkmnpqrstvwxyz', letter) - 1)::bit(5)::text, '' order by n), 3) as bits
    from regexp_split_to_table(right(public_id, 26), '') with ordinality as l (letter, n)
  ) as id cross join generate_series(1, 125, 4) as place
$$;

-- What the envelopes of the events say.
call in_portions('events', $$
  update events e set conversation_id = pg_temp.uuid_of(e.payload::json #>> '{data,conversation,id}')
  from unnest($1, $2) as part (workspace_id, id)
  where e.workspace_id = part.workspace_id and e.id = part.id and e.conversation_id is null
    and e.payload::json #>> '{data,conversation,id}' is not null
$$);

-- The stored answers, by their age: their key has no id. They are written once, so that they stay in their places.
do $$
declare
  until timestamptz := '-infinity';
  places tid[];
begin
  loop
    select array_agg(place), max(created_at) into places, until from (
      select ctid as place, created_at from idempotency_keys where created_at > until
      order by created_at fetch first 500 rows with ties
    ) as part;
    exit when places is null;
    update idempotency_keys set conversation_id = pg_temp.uuid_of(body::json ->> 'conversation_id')
    where ctid = any (places) and conversation_id is null and body::json ->> 'conversation_id' is not null;
    commit;
  end loop;
end $$;
