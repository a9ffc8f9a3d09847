-- in parts
alter table messages validate constraint messages_workspace_id_media_id_fkey;

create index concurrently if not exists messages_media on messages (workspace_id, media_id) where media_id is not null;
