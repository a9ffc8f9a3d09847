-- Seven lists of spans, from Sunday to Saturday, by the clocks of the workspace. Null: the person works at any time.
alter table users add column working_hours json;
-- An assignment asks for them, and most workspaces have none.
create index users_with_hours on users (workspace_id, id) where working_hours is not null;
