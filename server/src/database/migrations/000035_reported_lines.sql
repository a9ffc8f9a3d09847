-- A line of the thread that the platform reports, such as a call. Its reports come in any order and change the line in place.
alter table conversation_changes
  -- The channel, and the platform's id of what is reported.
  add column report_key text,
  add column report json;
create unique index conversation_changes_reported on conversation_changes (workspace_id, report_key) where report_key is not null;

-- Open threads read their end again.
create function publish_reported_line() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id) values (new.workspace_id, 'conversation', new.conversation_id);
  return null;
end $$;
create trigger publish_reported_line after insert or update of report on conversation_changes
for each row when (new.report_key is not null) execute function publish_reported_line();
