-- in parts
-- What stands already. The conversations are locked first: of a change at the same time, one of the two sees the other.
call in_portions('conversations',
  'select from conversations c where (c.workspace_id, c.id) in (select * from unnest($1, $2)) order by c.workspace_id, c.id for share',
  'insert into conversation_search (workspace_id, conversation_id, name, tags, active_from, active_until)
   select c.workspace_id, c.id, coalesce(c.contact_name_folded, ''''), c.contact_tags,
     day_of(c.last_message_at), day_of(c.last_message_at) + interval ''24 hours''
   from unnest($1, $2) as part (workspace_id, id) join conversations c using (workspace_id, id)
   on conflict do nothing');

-- As for contacts, new rows wait in a list that is merged into the index 512 kB at a time.
create index concurrently if not exists conversation_search_terms on conversation_search
  using gin (contact_terms(workspace_id, name, tags, null, '{}'))
  with (fastupdate = on, gin_pending_list_limit = 512);
