-- The operator's settings for the conversations of a workspace, and the last assignee. One row per workspace, so that
-- assignment in turns locks this row and nothing that other work waits for.
create table conversation_settings (
  workspace_id uuid primary key references workspaces,
  -- round_robin, none
  assignment text not null default 'round_robin',
  -- The survey's question when a conversation closes; null: the wording of the workspace's language.
  csat_text text,
  last_assignee_id uuid
);

create table conversations (
  workspace_id uuid not null,
  id uuid not null,
  -- Null while the erasure of the contact deletes a long history; the status is erased then.
  contact_id uuid,
  channel_id uuid not null,
  channel_type text not null,
  -- The contact's identity that wrote last and gets the answers. After a merge a contact has several. Null, until one writes,
  -- stands for the oldest.
  identifier text,
  -- A contact has one current conversation per channel. A merge can leave others, which a send by number does not use.
  is_current boolean not null default true,
  status text not null default 'open',
  stage_id uuid,
  assignee_id uuid,
  team_id uuid,
  controller text not null default 'human',
  -- While a bot is in control: the workflow run, or else the agent to which the conversation was handed over.
  workflow_run_id uuid,
  ai_agent_id uuid,
  -- When a workflow run or an agent last gave control to people by itself.
  bot_handed_over_at timestamptz(3),
  unread_count integer not null default 0,
  last_customer_at timestamptz(3),
  last_message_at timestamptz(3) not null,
  -- Which side wrote last: statements that touch the row anyway keep it, because a search among a million messages takes
  -- seconds. Ids are compared, as messages are ordered by them: two messages of one millisecond have an order too.
  last_customer_message_id uuid,
  last_business_message_id uuid,
  -- When the first message of the customer was stored, and the first one of the business after it.
  first_customer_at timestamptz(3),
  first_response_at timestamptz(3),
  window_expires_at timestamptz(3),
  snoozed_until timestamptz(3),
  created_at timestamptz(3) not null,
  -- A conversation may be open several times: the first period begins at created_at, each later one here.
  reopened_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, contact_id) references contacts,
  foreign key (workspace_id, channel_id) references channels,
  foreign key (workspace_id, stage_id) references stages,
  foreign key (workspace_id, assignee_id) references users,
  foreign key (workspace_id, team_id) references teams,
  foreign key (workspace_id, ai_agent_id) references ai_agents
) with (fillfactor = 85);
create unique index conversations_current on conversations (workspace_id, contact_id, channel_id) where is_current;
create index conversations_contact on conversations (workspace_id, contact_id);
create index conversations_created on conversations (workspace_id, created_at);

-- The list is ordered by activity, so each of its indexes ends with last_message_at; a list of both statuses reads two ranges.
-- Each index costs every message 3 µs, because the updated row gets a new entry in all of them: hence these and no more. Where
-- few conversations qualify, the index is partial and costs the others nothing.
create index conversations_status on conversations (workspace_id, status, last_message_at desc, id desc);
create index conversations_assignee on conversations
  (workspace_id, (coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'::uuid)), status, last_message_at desc, id desc);
create index conversations_stage on conversations (workspace_id, stage_id, status, last_message_at desc, id desc)
  where stage_id is not null;
create index conversations_channel_type on conversations (workspace_id, channel_type, status, last_message_at desc, id desc)
  where channel_type <> 'chatapp';
create index conversations_team on conversations (workspace_id, team_id, status, last_message_at desc, id desc)
  where team_id is not null;
-- The next to return first. A snoozed conversation gets few messages of the business, and one of the customer ends the snooze.
create index conversations_snoozed on conversations (workspace_id, snoozed_until, id) where snoozed_until is not null;

-- The numbers of conversations by stage. To count 200,000 by an index-only scan takes 35 ms at rest and 170 ms soon after
-- writes; the sum of these rows takes 1 to 3. Triggers keep them, so no code path can forget them. Each session adds to rows
-- of its own and waits for no other; sessions share 1024 rows, so that a service that reconnects for years leaves no more.
create table conversation_counts (
  workspace_id uuid not null references workspaces,
  stage_id uuid,
  session integer not null,
  -- Of the open ones: those without an answer to the customer's last message, and those without an assignee.
  open bigint not null,
  unreplied bigint not null,
  unassigned bigint not null,
  closed bigint not null,
  unique nulls not distinct (workspace_id, stage_id, session)
) with (fillfactor = 70);

-- The customer wrote last. The planner inlines the body, so it costs no call.
create function is_unreplied(last_customer_message_id uuid, last_business_message_id uuid) returns boolean
language sql immutable parallel safe
return coalesce(last_customer_message_id > last_business_message_id, last_customer_message_id is not null);

-- Inserted conversations count 1, deleted ones -1. The insert is repeated below, because a shared function would double
-- the cost, which is 0.06 ms for a batch of 33 conversations.
create function count_conversations() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into conversation_counts as c
  select workspace_id, stage_id, pg_backend_pid() % 1024, sign * count(*) filter (where status = 'open'),
    sign * count(*) filter (where status = 'open' and is_unreplied(last_customer_message_id, last_business_message_id)),
    sign * count(*) filter (where status = 'open' and assignee_id is null),
    sign * count(*) filter (where status = 'closed')
  from moved
  group by workspace_id, stage_id
  on conflict (workspace_id, stage_id, session) do update set open = c.open + excluded.open,
    unreplied = c.unreplied + excluded.unreplied, unassigned = c.unassigned + excluded.unassigned,
    closed = c.closed + excluded.closed;
  return null;
end $$;
create trigger conversations_created after insert on conversations referencing new table as moved
for each statement execute function count_conversations();
create trigger conversations_deleted after delete on conversations referencing old table as moved
for each statement execute function count_conversations();

-- Most updates change no count: the side that wrote last writes again.
create function recount_conversations() returns trigger language plpgsql as $$
begin
  insert into conversation_counts as c
  select * from (
    select workspace_id, stage_id, pg_backend_pid() % 1024, sum(sign * (status = 'open')::int) as open,
      sum(sign * (status = 'open' and unreplied)::int) as unreplied,
      sum(sign * (status = 'open' and assignee_id is null)::int) as unassigned,
      sum(sign * (status = 'closed')::int) as closed
    from (
      select workspace_id, stage_id, status, assignee_id, -1 as sign,
        is_unreplied(last_customer_message_id, last_business_message_id) as unreplied
      from before
      union all
      select workspace_id, stage_id, status, assignee_id, 1,
        is_unreplied(last_customer_message_id, last_business_message_id)
      from after
    ) moves
    group by workspace_id, stage_id
  ) sums
  where (open, unreplied, unassigned, closed) <> (0, 0, 0, 0)
  on conflict (workspace_id, stage_id, session) do update set open = c.open + excluded.open,
    unreplied = c.unreplied + excluded.unreplied, unassigned = c.unassigned + excluded.unassigned,
    closed = c.closed + excluded.closed;
  return null;
end $$;
create trigger conversations_moved after update on conversations referencing old table as before new table as after
for each statement execute function recount_conversations();

-- What was done to a conversation, and by whom: the system lines of its thread. Ids sort with those of messages.
create table conversation_changes (
  workspace_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  -- assigned, team_assigned, closed, reopened, handed_over, stage_set, snoozed
  kind text not null,
  -- user, api_key (the id is of its creator, where known), workflow, ai_agent, contact (of the conversation), system
  actor_kind text not null,
  actor_id uuid,
  -- The user, team, stage, workflow or AI agent; null: nobody, no stage, or people.
  value_id uuid,
  -- Of handed_over: human, bot.
  controller text,
  -- Of snoozed; null: no longer.
  until timestamptz(3),
  -- Of closed: the closing reason.
  reason_id uuid,
  summary text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, conversation_id, id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);

-- Every closing of a conversation, with its user, its reason and the state at that time. A reopening keeps the row.
create table conversation_closings (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  -- When the period that ended here began.
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3) not null,
  closed_by uuid,
  category_id uuid,
  summary text,
  stage_id uuid,
  assignee_id uuid,
  team_id uuid,
  -- The satisfaction survey, if one was requested and could be sent.
  survey_message_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade,
  foreign key (workspace_id, category_id) references closing_categories
);
create index conversation_closings_of_conversation on conversation_closings (workspace_id, conversation_id);
create index conversation_closings_closed_at on conversation_closings (workspace_id, closed_at);
