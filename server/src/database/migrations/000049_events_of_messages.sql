-- The timeline of a message reads the events that name it, and not all of its conversation.
drop index events_of_conversation;
create index events_of_conversation on events (
  workspace_id, conversation_id, (substr(payload, strpos(payload, '"message":{"id":"') + 17, 30))
) where conversation_id is not null;
