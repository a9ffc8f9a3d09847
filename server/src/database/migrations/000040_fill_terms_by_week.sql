-- in parts
-- What stands already. The contacts and conversations are locked first: of a change at the same time, one of the two sees the
-- other.
call in_portions('contacts',
  'select from contacts c where (c.workspace_id, c.id) in (select * from unnest($1, $2)) order by c.workspace_id, c.id for share',
  'update contact_search s
   set channel_types = week_mark(week_of(s.active_from))
     || array(select type from unnest(s.channel_types) as type where not starts_with(type, E''\x1f''))
   from unnest($1, $2) as part (workspace_id, id)
   where s.workspace_id = part.workspace_id and s.contact_id = part.id
     and not starts_with(coalesce(s.channel_types[1], ''''), E''\x1fweek '')');

call in_portions('conversations',
  'select from conversations c where (c.workspace_id, c.id) in (select * from unnest($1, $2)) order by c.workspace_id, c.id for share',
  'update conversation_search s set tags = n.terms
   from unnest($1, $2) as part (workspace_id, id), conversations c, conversation_terms(
     c.contact_tags, c.status, c.assignee_id, c.stage_id, c.channel_type, day_of(c.last_message_at)) as n (terms)
   where c.workspace_id = part.workspace_id and c.id = part.id
     and s.workspace_id = c.workspace_id and s.conversation_id = c.id and s.tags <> n.terms');
