-- Where events of a workspace are posted. A deleted endpoint stays as a row without its address and secret: attempts that
-- are under way still point to it, and the record of what was delivered does for as long as it is kept.
create table webhook_endpoints (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  url text not null,
  -- Event types, or * for all.
  events text[] not null,
  description text,
  enabled boolean not null default true,
  -- Counts how often it was enabled: what has been waiting since an earlier term is not attempted any more.
  term integer not null default 1,
  secret bytea not null,
  -- The first failed attempt since its last success, and the last one: by these it is disabled after three days.
  failing_since timestamptz(3),
  last_failure_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index webhook_endpoints_live on webhook_endpoints (workspace_id, id) where deleted_at is null;

-- One row for each attempt to deliver an event to an endpoint, from the moment at which it is due: the first one is
-- written with the event. The endpoint's key holds the workspace, so no event can go to another workspace's endpoint.
create table webhook_attempts (
  workspace_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  -- 1 for the first; 0 says that the endpoint was disabled when the event was due, so that nothing was attempted.
  attempt integer not null,
  id uuid not null default gen_random_uuid(),
  event_type text not null,
  -- The endpoint's term in which the delivery began.
  term integer not null,
  -- Its place in the schedule, from 1. A replay begins it anew, while `attempt` counts on.
  tries integer not null default 1,
  -- Since when it is listed: null while it waits or is under way.
  listed_at timestamptz(3),
  delivered_at timestamptz(3),
  response_status integer,
  duration_ms integer,
  -- Why there was no answer. It names no address.
  reason text,
  primary key (workspace_id, event_id, endpoint_id, attempt),
  foreign key (workspace_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 85);
create index webhook_attempts_listed on webhook_attempts (workspace_id, endpoint_id, listed_at desc, id desc)
  where listed_at is not null;

-- The place of an event in the feed. It is given when the feed is read, to what is committed by then and in one
-- transaction at a time, so that nothing ever appears before a place that a reader has passed: neither ids nor times nor
-- transaction numbers come in the order in which transactions commit, and the latter start anew in a restored database.
alter table events add column position bigint;

create table event_feed (
  singleton boolean primary key default true check (singleton),
  -- The last place that was given.
  position bigint not null default 0
);
insert into event_feed default values;
