-- What people change in the console stays when the workspace file is applied again. The file knows an entry by the name that it
-- gave; a person's new name, order or removal is marked. A removed entry stays, because threads and closings show its name.
alter table teams add changed_at timestamptz(3), add removed_at timestamptz(3), add file_name text;
alter table stages add changed_at timestamptz(3), add removed_at timestamptz(3), add file_name text;
alter table closing_categories add changed_at timestamptz(3), add removed_at timestamptz(3), add file_name text;
alter table teams drop constraint teams_workspace_id_name_key;
alter table stages drop constraint stages_workspace_id_name_key;
alter table closing_categories drop constraint closing_categories_workspace_id_name_key;
create unique index teams_name on teams (workspace_id, name) where removed_at is null;
create unique index stages_name on stages (workspace_id, name) where removed_at is null;
create unique index closing_categories_name on closing_categories (workspace_id, name) where removed_at is null;

-- The name that people see may be that of another workspace. The operator's name may not.
alter table workspaces add changed_at timestamptz(3), add file_name text;
alter table workspaces drop constraint workspaces_name_key;
create unique index workspaces_operators_name on workspaces (coalesce(file_name, name));

create table business_hours (
  workspace_id uuid primary key references workspaces (id),
  -- Seven lists of spans, from Sunday to Saturday.
  weekly json not null,
  closed_days json not null,
  -- Null: customers who write outside the hours get no answer by itself.
  away_message text
);
alter table business_hours alter column workspace_id set (n_distinct = 1);
-- The closed period in which the conversation got its away message.
alter table conversations add away_period text;

-- The history of a disconnected channel stays. Another workspace may connect its number.
alter table channels add disconnected_at timestamptz(3);
alter table channels drop constraint channels_phone_number_id_key;
create unique index channels_number on channels (phone_number_id) where disconnected_at is null;
create index channels_former_number on channels (phone_number_id) where disconnected_at is not null;
