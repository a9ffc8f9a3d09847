-- The username of the business at the platform: reserved, then active.
alter table channels
  add column business_username text,
  add column business_username_status text,
  -- The platform's time of the last report on it.
  add column business_username_at timestamptz(3);
create trigger publish_changed_username after update on channels
for each row when (
  (old.business_username, old.business_username_status) is distinct from (new.business_username, new.business_username_status)
) execute function publish_object('channel');

-- The tiers of the platform's prices that depend on the volume of an account, by category and market.
create table volume_tiers (
  workspace_id uuid not null references workspaces,
  waba_id text not null,
  category text not null,
  region text not null,
  -- The lowest and the highest number of messages, as the platform states them.
  tier text not null,
  -- As the platform states it, such as 2026-11.
  effective_month text,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, waba_id, category, region)
);
alter table volume_tiers alter column workspace_id set (n_distinct = 1);
