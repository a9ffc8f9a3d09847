create table broadcasts (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  channel_id uuid not null,
  template_name text not null,
  template_language text not null,
  -- The audience: contacts with any of the tags, contacts at a stage, or else the rows of broadcast_recipients as given.
  tags text[],
  stage_id uuid,
  status text not null,
  send_at timestamptz(3) not null,
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, channel_id) references channels
);

create table broadcast_recipients (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  position integer not null,
  -- E.164.
  identifier text not null,
  params text[] not null default '{}',
  -- waiting, accepted (with message_id), refused (with error)
  status text not null default 'waiting',
  error text,
  message_id uuid,
  conversation_id uuid,
  -- When the customer first wrote after it.
  replied_at timestamptz(3),
  primary key (workspace_id, broadcast_id, position),
  -- Nobody gets a broadcast twice.
  unique (workspace_id, broadcast_id, identifier),
  foreign key (workspace_id, broadcast_id) references broadcasts,
  foreign key (workspace_id, message_id) references messages on delete cascade,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
) with (fillfactor = 85);
create index broadcast_recipients_waiting on broadcast_recipients (workspace_id, broadcast_id, position)
  where status = 'waiting';
create index broadcast_recipients_number on broadcast_recipients (workspace_id, identifier);
create index broadcast_recipients_message on broadcast_recipients (workspace_id, message_id) where message_id is not null;
-- The broadcasts that reached a conversation: read for its next recipient, and when its contact is erased.
create index broadcast_recipients_reached on broadcast_recipients (workspace_id, conversation_id, broadcast_id)
  where conversation_id is not null;
create index broadcast_recipients_unreplied on broadcast_recipients (workspace_id, conversation_id)
  where conversation_id is not null and replied_at is null;

-- The steps of a workflow are in its versions; a run keeps the version with which it began.
create table workflows (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  status text not null,
  trigger text not null,
  -- For the trigger `no_reply`: the side whose reply is missing (business, customer), and the time without a reply.
  waits_for text,
  after_seconds integer,
  -- The current version.
  version integer not null default 0,
  updated_at timestamptz(3) not null,
  -- When a person set the status: a workspace file does not undo it.
  status_set_at timestamptz(3),
  primary key (workspace_id, id),
  unique (workspace_id, name)
);
-- For each event: the workflows that it starts.
create index workflows_started_by on workflows (workspace_id, trigger) where status = 'published';

create table workflow_versions (
  workspace_id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  definition json not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, workflow_id, version),
  foreign key (workspace_id, workflow_id) references workflows
);

-- A run for one contact: a state machine; each of its moves is one commit.
create table workflow_runs (
  workspace_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  contact_id uuid not null,
  -- Null until a step needs one.
  conversation_id uuid,
  -- bot: the run takes control of the conversation with its first message; human: people keep control.
  control text not null,
  -- running, completed, failed, cancelled
  status text not null,
  -- Why it ended so.
  reason text,
  -- The number of runs before this one, each of which started the next.
  depth smallint not null default 0,
  -- The first run of the chain; null for that run.
  root_run_id uuid,
  -- The event that started it and the results of its steps, as its variables read them.
  trigger json not null,
  results json not null default '{}',
  -- The next step, by its place in the version; null at the end.
  position integer,
  -- Counts moves. A job that wakes a run names the turn that it is for, and does nothing after another move.
  turn integer not null default 0,
  -- The question whose answer the run waits for, and the end of its wait for an answer or a time.
  asked_message_id uuid,
  due_at timestamptz(3),
  -- The job that makes the call of this step: no other job does.
  call_job_id bigint,
  has_control boolean not null default false,
  -- Something woke the run while its workflow was paused.
  is_parked boolean not null default false,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, workflow_id) references workflows,
  foreign key (workspace_id, contact_id) references contacts,
  foreign key (workspace_id, conversation_id) references conversations
) with (fillfactor = 80);
create index workflow_runs_of_conversation on workflow_runs (workspace_id, conversation_id) where status = 'running';
create index workflow_runs_running on workflow_runs (workspace_id, workflow_id, is_parked) where status = 'running';
create index workflow_runs_of_contact on workflow_runs (workspace_id, contact_id);
-- For the foreign key, when a conversation is deleted.
create index workflow_runs_all_of_conversation on workflow_runs (workspace_id, conversation_id);
create index workflow_runs_of_chain on workflow_runs (workspace_id, root_run_id) where root_run_id is not null;
create index workflow_runs_of_workflow on workflow_runs (workspace_id, workflow_id, id desc);

-- Every move, with its outcome.
create table workflow_run_steps (
  workspace_id uuid not null,
  run_id uuid not null,
  turn integer not null,
  -- A JSON pointer into the workflow, and the step's own name.
  step text not null,
  name text,
  kind text not null,
  outcome text not null,
  reason text,
  at timestamptz(3) not null,
  primary key (workspace_id, run_id, turn),
  foreign key (workspace_id, run_id) references workflow_runs on delete cascade
);
