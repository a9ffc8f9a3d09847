-- in parts
create index concurrently if not exists conversations_created on conversations (workspace_id, created_at);

create index concurrently if not exists messages_sent on messages (workspace_id, created_at)
  where direction = 'outbound' and kind <> 'note';

create index concurrently if not exists messages_of_template on messages (workspace_id, (content ->> 'name'), created_at)
  where direction = 'outbound' and kind = 'template';

-- What the messages say that stand already.
call in_portions('conversations', $$
  update conversations c set last_customer_message_id = t.customer_id, last_business_message_id = t.business_id,
    first_customer_at = t.customer_at, first_response_at = t.response_at
  from unnest($1, $2) as part (workspace_id, id), lateral (
    select (array_agg(m.id order by m.id desc) filter (where m.direction = 'inbound'))[1] as customer_id,
      (array_agg(m.id order by m.id desc) filter (where m.direction = 'outbound' and m.kind <> 'note'))[1] as business_id,
      f.customer_at,
      min(m.created_at) filter (where m.direction = 'outbound' and m.kind <> 'note' and m.created_at >= f.customer_at) as response_at
    from (
      select min(o.created_at) as customer_at from messages o
      where o.workspace_id = part.workspace_id and o.conversation_id = part.id and o.direction = 'inbound'
    ) as f
    join messages m on m.workspace_id = part.workspace_id and m.conversation_id = part.id
    group by f.customer_at
  ) as t
  where c.workspace_id = part.workspace_id and c.id = part.id
$$);
