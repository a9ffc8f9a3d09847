alter table conversations
  -- The run that controls it, while a workflow does: the bot in control is this, or else the agent.
  add column workflow_run_id uuid;

-- What a workflow does is in its versions: a run keeps to the one with which it began. `version` is the current one; a
-- workflow that was written down before there were versions has none (0), and starts nothing until it is applied again.
alter table workflows
  add column version integer not null default 0,
  -- Of `no_reply`: whose reply is missing (business, customer), and after how long.
  add column waits_for text,
  add column after_seconds integer,
  drop column definition;
-- Whatever happens asks here whether it starts anything.
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

-- A run for one contact: a state machine of which each move is one commit.
create table workflow_runs (
  workspace_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  contact_id uuid not null,
  -- Null until something needs one.
  conversation_id uuid,
  -- bot: it takes control of the conversation with its first message; human: it leaves control to people.
  control text not null,
  -- running, completed, failed, cancelled
  status text not null,
  -- Why it ended so.
  reason text,
  -- How many runs stand behind this one, each of which started the next.
  depth smallint not null default 0,
  -- What started it, and what its steps brought, as its variables read them.
  trigger json not null,
  results json not null default '{}',
  -- The step that comes next, by its place in the version; null at the end.
  position integer,
  -- Counts moves: what wakes a run names the move that it is for, and is for nothing once another was made.
  turn integer not null default 0,
  -- The question that it waits to be answered, and until when it waits for this or for time to pass.
  asked_message_id uuid,
  due_at timestamptz(3),
  -- The job that makes the call of this step: no other does.
  call_job_id bigint,
  -- Whether it controls the conversation.
  has_control boolean not null default false,
  -- Something woke it while its workflow was paused.
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
-- For the foreign key, when a conversation goes.
create index workflow_runs_all_of_conversation on workflow_runs (workspace_id, conversation_id);
create index workflow_runs_of_workflow on workflow_runs (workspace_id, workflow_id, id desc);

-- Each move, with what came of it.
create table workflow_run_steps (
  workspace_id uuid not null,
  run_id uuid not null,
  turn integer not null,
  -- A JSON pointer into the workflow, and the name that it gives the step.
  step text not null,
  name text,
  kind text not null,
  outcome text not null,
  reason text,
  at timestamptz(3) not null,
  primary key (workspace_id, run_id, turn),
  foreign key (workspace_id, run_id) references workflow_runs on delete cascade
);
