-- in parts
alter table conversations validate constraint conversations_workspace_id_ai_agent_id_fkey;

-- The list is walked in the order of its activity, so each index ends with it, and a list of both statuses is two walks.
-- An index costs every message 3 µs, as the touched row moves in all of them: hence these three and no more. Where few
-- conversations can be meant, the index is partial and costs the others nothing.
create index concurrently if not exists conversations_status
  on conversations (workspace_id, status, last_message_at desc, id desc);

create index concurrently if not exists conversations_assignee
  on conversations (workspace_id, (coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'::uuid)), status, last_message_at desc, id desc);

create index concurrently if not exists conversations_stage
  on conversations (workspace_id, stage_id, status, last_message_at desc, id desc)
  where stage_id is not null;

create index concurrently if not exists conversations_channel_type
  on conversations (workspace_id, channel_type, status, last_message_at desc, id desc)
  where channel_type <> 'chatapp';

drop index concurrently if exists conversations_activity;

-- What the contacts say now. They are locked first: of a change at the same time, one of the two sees the other.
call in_portions('conversations',
  'select from contacts k where (k.workspace_id, k.id) in (
     select c.workspace_id, c.contact_id from unnest($1, $2) as part (workspace_id, id) join conversations c using (workspace_id, id))
   order by k.workspace_id, k.id for share',
  'update conversations c set contact_name_folded = k.name_folded, contact_tags = k.tags
   from unnest($1, $2) as part (workspace_id, id), contacts k
   where c.workspace_id = part.workspace_id and c.id = part.id
     and k.workspace_id = c.workspace_id and k.id = c.contact_id
     and (c.contact_name_folded, c.contact_tags) is distinct from (k.name_folded, k.tags)');
