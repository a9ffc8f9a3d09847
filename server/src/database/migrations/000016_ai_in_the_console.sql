-- What people decide of AI in the console, and what each agent spends.
alter table ai_agents
  -- AI credits of a calendar month; null: the limit of the workspace alone.
  add column monthly_credits bigint,
  -- The name in the workspace file, where a person has renamed the agent.
  add column file_name text,
  -- When a person last changed the agent. The workspace file then changes it no more.
  add column changed_at timestamptz(3);
alter table ai_budgets
  -- When a person last changed the limit. The workspace file then changes it no more.
  add column changed_at timestamptz(3);

-- The agent that answered. Null: a draft, a summary or the indexing of knowledge.
alter table ai_usage
  add column ai_agent_id uuid,
  add foreign key (workspace_id, ai_agent_id) references ai_agents;
create index ai_usage_agent on ai_usage (workspace_id, ai_agent_id, created_at) where ai_agent_id is not null;

-- The conversations that an agent controls.
create index conversations_ai_agent on conversations (workspace_id, ai_agent_id) where ai_agent_id is not null;
