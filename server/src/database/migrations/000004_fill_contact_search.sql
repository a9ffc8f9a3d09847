-- in parts
-- The order of the list. The one index with last_activity_at: whoever writes moves its contact in here, and each further
-- index would have to follow.
create index concurrently if not exists contacts_activity
  on contacts (workspace_id, (coalesce(last_activity_at, created_at)) desc, id desc);

-- What stands already.
call in_portions('contacts', 'select refresh_contact_search($1, $2)');
