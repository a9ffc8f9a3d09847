-- In a file of its own, and so with a lock timeout: it needs the strongest lock.
alter table messages drop constraint messages_workspace_id_conversation_id_fkey;
