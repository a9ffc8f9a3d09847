-- Leases run on the database's real time: a move of the test clock must not end them.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The owner of the work, for fairness and for pauses: a channel, a webhook endpoint.
  group_id uuid not null,
  -- The queue key: jobs of one key run one after the other, oldest first (a conversation).
  lane_id uuid,
  payload text not null,
  run_at timestamptz(3) not null,
  -- Counts claims, and is the fencing token of each.
  attempts integer not null default 0,
  failures integer not null default 0,
  worker_id integer,
  leased_until timestamptz(3),
  -- Set when the handler passes its point of no return. A job that is claimed again with it was interrupted, and must not
  -- simply be repeated.
  started_at timestamptz(3)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index jobs_due on jobs (kind, group_id, run_at, id);
create index jobs_lane on jobs (kind, lane_id, id) where lane_id is not null;

create table job_groups (
  kind text not null,
  group_id uuid not null,
  paused_until timestamptz(3) not null,
  primary key (kind, group_id)
);

create table events (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- The event's place in the feed. Reading the feed numbers all committed events, in one transaction at a time. So no event
  -- appears before a position that a reader has passed. Ids, times and transaction numbers do not come in commit order, and
  -- transaction numbers start anew in a restored database.
  position bigint,
  type text not null,
  -- The exact bytes of the envelope: the signature covers them (jsonb would reorder the members).
  payload text not null,
  -- An erasure finds the events of a conversation by it.
  conversation_id uuid,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index events_of_conversation on events (workspace_id, conversation_id) where conversation_id is not null;
create index events_unplaced on events (created_at, id) where position is null;
create unique index events_position on events (position) where position is not null;
create index events_position_of_workspace on events (workspace_id, position) where position is not null;

create table event_feed (
  singleton boolean primary key default true check (singleton),
  -- The last position that was given.
  position bigint not null default 0
);
insert into event_feed default values;

-- A deleted endpoint stays as a row without its address and secret: attempts under way and the delivery log refer to it.
create table webhook_endpoints (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  url text not null,
  -- Event types, or * for all.
  events text[] not null,
  description text,
  enabled boolean not null default true,
  -- Counts how often the endpoint was enabled. A delivery of an earlier term is not attempted any more.
  term integer not null default 1,
  secret bytea not null,
  -- The first failed attempt since the last success, and the last failed one: after three days the endpoint is disabled.
  failing_since timestamptz(3),
  last_failure_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index webhook_endpoints_live on webhook_endpoints (workspace_id, id) where deleted_at is null;

-- One row per attempt to deliver an event to an endpoint, from the time at which it is due: the first one is written with the
-- event. The foreign key contains the workspace, so no event can go to another workspace's endpoint.
create table webhook_attempts (
  workspace_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  -- From 1. 0 means that the endpoint was disabled when the event was due, so that nothing was attempted.
  attempt integer not null,
  id uuid not null default gen_random_uuid(),
  event_type text not null,
  -- The endpoint's term in which the delivery began.
  term integer not null,
  -- The place in the retry schedule, from 1. A replay starts it anew, while `attempt` counts on.
  tries integer not null default 1,
  -- When it entered the delivery log; null while it waits or is under way.
  listed_at timestamptz(3),
  delivered_at timestamptz(3),
  response_status integer,
  duration_ms integer,
  -- Why there was no response. It contains no address.
  reason text,
  primary key (workspace_id, event_id, endpoint_id, attempt),
  foreign key (workspace_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 85);
create index webhook_attempts_listed on webhook_attempts (workspace_id, endpoint_id, listed_at desc, id desc)
  where listed_at is not null;

create table idempotency_keys (
  workspace_id uuid not null references workspaces,
  -- Method and path: the same key on another operation or another conversation is another key.
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  -- An erasure finds the stored answers of a conversation or a contact by these.
  conversation_id uuid,
  contact_id uuid,
  created_at timestamptz(3) not null,
  primary key (workspace_id, operation, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
create index idempotency_keys_of_conversation on idempotency_keys (workspace_id, conversation_id) where conversation_id is not null;
create index idempotency_keys_of_contact on idempotency_keys (workspace_id, contact_id) where contact_id is not null;
