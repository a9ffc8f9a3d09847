-- in parts
-- What stands already. The contacts are locked first: of a change at the same time, one of the two sees the other.
call in_portions('contacts',
  'select from contacts c where (c.workspace_id, c.id) in (select * from unnest($1, $2)) order by c.workspace_id, c.id for share',
  'update contact_search s
   set active_from = active_from(c.last_activity_at, c.created_at),
     active_until = active_until(c.last_activity_at, c.created_at)
   from unnest($1, $2) as part (workspace_id, id), contacts c
   where c.workspace_id = part.workspace_id and c.id = part.id
     and s.workspace_id = c.workspace_id and s.contact_id = c.id
     and (s.active_from, s.active_until)
       <> (active_from(c.last_activity_at, c.created_at), active_until(c.last_activity_at, c.created_at))');
