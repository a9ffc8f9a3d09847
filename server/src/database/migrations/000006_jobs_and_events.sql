-- A job is ready, waits for a time, or is blocked behind an older job of its queue key. Claims read ready jobs alone, so
-- waiting jobs cost them nothing. Leases run on the database's real time, because a move of the test clock must not end them.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The owner of the work, for fairness and for pauses: a channel, a webhook endpoint.
  group_id uuid not null,
  -- The workspace, for kinds whose groups share the places of their workspace.
  tenant_id uuid,
  -- Jobs of one key run one after the other, oldest first (a conversation).
  queue_key uuid,
  payload text not null,
  run_at timestamptz(3) not null,
  -- Stays true under a lease, so that a claim changes no index.
  is_ready boolean not null default true,
  -- When a job that waits for a time becomes ready: at `run_at`, or at the end of its group's pause.
  wakes_at timestamptz(3) check (wakes_at is null or not is_ready),
  -- Only the index of ready jobs has this column. By `group_id` the planner would read all jobs of a group, as long as the
  -- table is small, and keep that plan.
  ready_group_id uuid generated always as (case when is_ready then group_id end) stored,
  ready_tenant_id uuid generated always as (case when is_ready then tenant_id end) stored,
  -- Counts claims, and is the fencing token of each.
  attempts integer not null default 0,
  failures integer not null default 0,
  worker_id integer,
  leased_until timestamptz(3),
  -- Set when the handler passes its point of no return. A job that is claimed again with it was interrupted, and must not
  -- simply be repeated.
  started_at timestamptz(3)
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0,
  -- Never analysed: the table is empty at one moment and holds 100,000 rows at the next. With the statistics of an empty
  -- table the planner reads all of it instead of an index.
  autovacuum_analyze_threshold = 2147483647
);
create index jobs_ready on jobs (kind, ready_group_id, run_at, id) where ready_group_id is not null;
create index jobs_ready_of_tenant on jobs (kind, ready_tenant_id, ready_group_id, run_at, id) where ready_tenant_id is not null;
create index jobs_waiting on jobs (kind, wakes_at) where wakes_at is not null;
create index jobs_of_group on jobs (kind, group_id, run_at, id);
create index jobs_of_queue on jobs (kind, queue_key, id) where queue_key is not null;

create table job_groups (
  kind text not null,
  group_id uuid not null,
  paused_until timestamptz(3) not null,
  primary key (kind, group_id)
);
create index job_groups_paused on job_groups (kind, paused_until);

-- Queue keys whose first job may be blocked. A transaction that adds a job behind another leaves a row, and so does one that
-- removes a job before another. Neither sees the other's uncommitted work, so a worker checks the queue after both commits.
create table queue_checks (
  kind text not null,
  queue_key uuid not null,
  requested_at timestamptz(3) not null default clock_timestamp()
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_threshold = 2147483647
);
create index queue_checks_requested on queue_checks (kind, requested_at);

-- Triggers, because many statements insert and delete jobs, and one without its check would block a queue.
create function place_job() returns trigger language plpgsql as $$
begin
  if exists (select from jobs j where j.kind = new.kind and j.queue_key = new.queue_key) then
    new.is_ready := false;
    insert into queue_checks (kind, queue_key) values (new.kind, new.queue_key);
  elsif new.run_at > clock_timestamp() + (select offset_ms from test_clock) * interval '1 ms' then
    new.is_ready := false;
    new.wakes_at := new.run_at;
  end if;
  return new;
end $$;
create trigger place_job before insert on jobs
  for each row when (new.queue_key is not null or new.run_at > clock_timestamp()) execute function place_job();

create function check_queues() returns trigger language plpgsql as $$
begin
  insert into queue_checks (kind, queue_key)
  select old.kind, key from unnest(array[old.queue_key, new.queue_key]) as key
  where exists (select from jobs j where j.kind = old.kind and j.queue_key = key);
  return null;
end $$;
create trigger check_queue_after_delete after delete on jobs
  for each row when (old.queue_key is not null) execute function check_queues();
create trigger check_queues_after_move after update of queue_key on jobs
  for each row when (old.queue_key is distinct from new.queue_key) execute function check_queues();

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
  -- The same for an event of a contact that belongs to no conversation.
  contact_id uuid,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index events_of_conversation on events (workspace_id, conversation_id) where conversation_id is not null;
create index events_of_contact on events (workspace_id, contact_id) where contact_id is not null;
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
  -- Event types, or * for those of the contract.
  events text[] not null,
  description text,
  enabled boolean not null default true,
  -- Counts how often the endpoint was enabled. A delivery of an earlier term is not attempted any more.
  term integer not null default 1,
  secret bytea not null,
  -- After a rotation, deliveries are signed with the old secret too until this moment.
  old_secret bytea,
  old_secret_until timestamptz(3),
  -- The first failed attempt since the last success, and the last failed one: after three days the endpoint is disabled.
  failing_since timestamptz(3),
  last_failure_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  check ((old_secret is null) = (old_secret_until is null))
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
