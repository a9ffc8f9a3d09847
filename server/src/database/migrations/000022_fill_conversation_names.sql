-- in parts
-- What the contacts say now. They are locked first: of a change at the same time, one of the two sees the other.
call in_portions('conversations',
  'select from contacts k where (k.workspace_id, k.id) in (
     select c.workspace_id, c.contact_id from unnest($1, $2) as part (workspace_id, id) join conversations c using (workspace_id, id))
   order by k.workspace_id, k.id for share',
  'update conversations c
   set contact_name = k.name, contact_name_folded = k.name_folded, contact_tags = k.tags
   from unnest($1, $2) as part (workspace_id, id), contacts k
   where c.workspace_id = part.workspace_id and c.id = part.id
     and k.workspace_id = c.workspace_id and k.id = c.contact_id
     and (c.contact_name, c.contact_name_folded, c.contact_tags) is distinct from (k.name, k.name_folded, k.tags)');
