-- A line of the thread that the platform reports, such as a call. Its reports come in any order and change the line in place.
alter table conversation_changes
  -- The channel, and the platform's id of what is reported.
  add column report_key text,
  add column report json;
create unique index conversation_changes_reported on conversation_changes (workspace_id, report_key) where report_key is not null;
