-- in parts
-- Conversations did not always follow a customer to another number. Where one names an identity that is not the contact's any
-- more, the contact's oldest is meant.
call in_portions('conversations',
  'update conversations c set identifier = null
   from unnest($1, $2) as part (workspace_id, id)
   where c.workspace_id = part.workspace_id and c.id = part.id and c.identifier is not null
     and not exists (select from contact_identities i
       where i.workspace_id = c.workspace_id and i.channel_type = c.channel_type and i.identifier = c.identifier
         and i.contact_id = c.contact_id)');
