import { AiAgent } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const aiAgentStatuses = ['active', 'paused', 'draft'] as const;
export type AiAgentStatus = (typeof aiAgentStatuses)[number];

const credits = (description: string) =>
  Type.Unsafe<number | null>({
    ...{ type: ['integer', 'null'], minimum: 0, maximum: 1_000_000_000 },
    default: null,
    description,
  });
const monthlyCredits = credits('AI credits of a calendar month; null for no limit.');

/** An agent with what administrators decide and watch. */
export const AiAgentState = Type.Object({
  agent: AiAgent,
  is_active: Type.Boolean({ description: 'Whether it answers. Otherwise it hands over to people.' }),
  instructions: Type.Optional(text()),
  proposes: Type.Boolean({ description: 'Its answers wait for a person before they are sent.' }),
  monthly_credits: monthlyCredits,
  credits_used: Type.Integer({ description: 'In this calendar month.' }),
  conversations: Type.Integer({ description: 'Conversations that it controls.' }),
  sources: Type.Integer({ description: 'Knowledge sources that it may use.' }),
  sent: Type.Integer({ description: 'Answers in this calendar month.' }),
  proposed: Type.Integer({ description: 'Answers that it proposed in this calendar month.' }),
  handed_over: Type.Integer({ description: 'Handovers to people in this calendar month.' }),
  version: text('Of the values that a person changes.'),
});
export type AiAgentState = Static<typeof AiAgentState>;

export const AiState = Type.Object({
  data: Type.Array(AiAgentState),
  budget: Type.Object({
    monthly_credits: monthlyCredits,
    credits_used: Type.Integer({ description: 'By agents, drafts, summaries and knowledge in this calendar month.' }),
  }),
  has_model: Type.Boolean({ description: 'Without a model, agents quote their knowledge.' }),
  has_embeddings: Type.Boolean({ description: 'Whether knowledge is found by its meaning as well.' }),
});
export type AiState = Static<typeof AiState>;

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  status: Type.Enum([...aiAgentStatuses], { type: 'string' }),
  languages: Type.Array(Type.String(), { maxItems: 20, description: 'Codes such as `ar` and `en`.' }),
  instructions: Type.String({ bound: 'long', description: 'What the agent is told beside its knowledge.' }),
  proposes: Type.Boolean({ description: 'Whether its answers wait for a person.' }),
  monthly_credits: monthlyCredits,
};
const ofAgent = Type.Object({ workspace_id: text(), ai_agent_id: text() });

export const aiAgentOperations = {
  getAiState: defineConsoleOperation({
    id: 'getAiState',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/ai-agents',
    audience: 'admin',
    summary: 'List the AI agents with their work and their budgets',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: AiState },
    refusals: [],
  }),
  createAiAgent: defineConsoleOperation({
    id: 'createAiAgent',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/ai-agents',
    audience: 'admin',
    summary: 'Create an AI agent',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({
      name: fields.name,
      status: Type.Optional(fields.status),
      languages: Type.Optional(fields.languages),
      instructions: Type.Optional(fields.instructions),
      proposes: Type.Optional(fields.proposes),
      monthly_credits: Type.Optional(fields.monthly_credits),
    }),
    reply: { status: 201, body: AiAgentState },
    refusals: ['unprocessable_content', 'limit_reached'],
  }),
  changeAiAgent: defineConsoleOperation({
    id: 'changeAiAgent',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/ai-agents/{ai_agent_id}',
    audience: 'admin',
    summary: 'Change an AI agent, unless somebody changed it since the given version; only sent members change',
    idempotent: false,
    params: ofAgent,
    body: Type.Object({
      version: text(),
      name: Type.Optional(fields.name),
      status: Type.Optional(fields.status),
      languages: Type.Optional(fields.languages),
      instructions: Type.Optional(fields.instructions),
      proposes: Type.Optional(fields.proposes),
      monthly_credits: Type.Optional(fields.monthly_credits),
    }),
    reply: { status: 200, body: AiAgentState },
    refusals: ['not_found', 'changed_meanwhile', 'limit_reached', 'unprocessable_content'],
  }),
  changeAiBudget: defineConsoleOperation({
    id: 'changeAiBudget',
    method: 'PUT',
    path: '/console/v1/workspaces/{workspace_id}/ai-budget',
    audience: 'admin',
    summary: 'Limit the AI credits of the workspace, unless somebody changed the limit since',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ monthly_credits: monthlyCredits, expected: credits('The limit before.') }),
    reply: { status: 200, body: AiState.properties.budget },
    refusals: ['changed_meanwhile'],
  }),
};
