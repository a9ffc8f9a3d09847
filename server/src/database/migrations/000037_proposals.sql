-- What an AI agent or a workflow wants to do and waits for a person's yes.
create table proposals (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  -- Who proposes: an AI agent, or the step of a workflow run.
  ai_agent_id uuid,
  workflow_id uuid,
  run_id uuid,
  -- The name of the workflow's step: `send_message`, `close` and so on.
  action text not null,
  -- Of a message, what a send has. Of another step, its members with the values of their variables.
  content json not null,
  -- The text that the customer would read. Null for other steps, and where a file alone would be sent.
  preview text,
  media_id uuid,
  -- The names of the knowledge sources that the agent read.
  sources text[] not null default '{}',
  -- The message of the customer that the agent answers.
  answers_message_id uuid,
  -- waiting, accepted, refused, expired or overtaken.
  state text not null,
  -- Why it expired or was overtaken.
  end_reason text,
  -- Who accepted or refused it, and why it was refused.
  decided_by uuid,
  decision_reason text,
  is_edited boolean not null default false,
  -- The message that became of it.
  message_id uuid,
  created_at timestamptz(3) not null,
  -- Until when the run waits.
  due_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade,
  foreign key (workspace_id, decided_by) references users (workspace_id, id)
);
alter table proposals alter column workspace_id set (n_distinct = 1);
create index proposals_waiting on proposals (workspace_id, id) where state = 'waiting';
create index proposals_of_conversation on proposals (workspace_id, conversation_id, id);
create index proposals_of_run on proposals (workspace_id, run_id) where state = 'waiting' and run_id is not null;
create index proposals_of_message on proposals (workspace_id, message_id) where message_id is not null;
create index proposals_ended on proposals (ended_at) where state not in ('waiting', 'accepted');

create function publish_proposal() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id)
  values (new.workspace_id, 'proposal', new.conversation_id, new.id);
  return null;
end $$;
create trigger publish_proposal after insert or update on proposals
for each row execute function publish_proposal();

-- The agent proposes its answers instead of sending them.
alter table ai_agents add column proposes boolean not null default false;
-- The proposal whose decision the run waits for.
alter table workflow_runs add column proposal_id uuid;
