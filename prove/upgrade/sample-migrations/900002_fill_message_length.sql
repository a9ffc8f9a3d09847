-- in parts
-- The rows that existed before, 500 at a time in the order of their keys, with a commit after each portion. The first portion
-- begins after the smallest key: `ids is null or …` would not use the index.
do $$
declare
  workspace_ids uuid[] := '{00000000-0000-0000-0000-000000000000}';
  ids uuid[] := '{00000000-0000-0000-0000-000000000000}';
begin
  loop
    select array_agg(workspace_id order by workspace_id, id), array_agg(id order by workspace_id, id) into workspace_ids, ids
    from (
      select workspace_id, id from messages
      where (workspace_id, id) > (workspace_ids[cardinality(ids)], ids[cardinality(ids)])
      order by workspace_id, id limit 500
    ) as portion;
    exit when ids is null;
    update messages m set body_length = length(m.body)
    from unnest(workspace_ids, ids) as portion (workspace_id, id)
    where m.workspace_id = portion.workspace_id and m.id = portion.id and m.body_length is null;
    commit;
  end loop;
end $$;

create index concurrently if not exists messages_body_length on messages (workspace_id, body_length);

alter table messages validate constraint messages_conversation;
