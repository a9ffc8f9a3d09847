-- in parts
-- The order of the list. The one index with last_activity_at: whoever writes moves its contact in here, and each further
-- index would have to follow.
create index concurrently if not exists contacts_activity
  on contacts (workspace_id, (coalesce(last_activity_at, created_at)) desc, id desc);

-- What stands already.
do $$
declare
  workspace_ids uuid[] := '{00000000-0000-0000-0000-000000000000}';
  ids uuid[] := '{00000000-0000-0000-0000-000000000000}';
begin
  loop
    select array_agg(workspace_id order by workspace_id, id), array_agg(id order by workspace_id, id) into workspace_ids, ids
    from (
      select workspace_id, id from contacts
      where (workspace_id, id) > (workspace_ids[cardinality(ids)], ids[cardinality(ids)])
      order by workspace_id, id limit 500
    ) as part;
    exit when ids is null;
    perform refresh_contact_search(workspace_ids, ids);
    commit;
  end loop;
end $$;
