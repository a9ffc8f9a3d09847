-- A limited person sees a file where one of its holders is visible, decided and cancelled ones included.
create index proposals_of_file on proposals (workspace_id, media_id) where media_id is not null;
create index scheduled_messages_of_file on scheduled_messages (workspace_id, media_id) where media_id is not null;
