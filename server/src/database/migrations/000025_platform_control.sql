-- The platform's own agent may hold a conversation. Its reports come in any order, so the platform's time decides.
alter table conversations
  add column held_by_platform boolean not null default false,
  -- The platform's time of the last known change of control.
  add column platform_control_at timestamptz(3);
