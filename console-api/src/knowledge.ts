import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, nothing, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const knowledgeStatuses = ['waiting', 'indexed', 'failed'] as const;

const agents = (description: string) =>
  Type.Unsafe<string[] | null>({
    ...{ type: ['array', 'null'], items: { type: 'string' }, maxItems: 1_000 },
    default: null,
    description,
  });

/** A knowledge source with its state. */
export const KnowledgeSourceState = Type.Object({
  id: text(),
  type: Type.Enum(['url', 'file', 'text'], { type: 'string' }),
  name: text('The address, the name of the file, or the first words of the text.'),
  status: Type.Enum([...knowledgeStatuses], { type: 'string' }),
  error: Type.Optional(text('Why the last reading failed.')),
  passages: Type.Integer({
    description: 'Passages that can be found. A failed reading keeps those of the one before.',
  }),
  ai_agent_ids: agents('The AI agents that may use it; null for all.'),
  created_at: dateTime(),
  indexed_at: Type.Optional(dateTime()),
  version: text('Of the values that a person changes.'),
});
export type KnowledgeSourceState = Static<typeof KnowledgeSourceState>;

export const KnowledgeHit = Type.Object({
  source_id: text(),
  source: text('The name of the source.'),
  text: text(),
  coverage: Type.Number({ description: 'From 0 to 1: how much of the question the passage has.' }),
});
export type KnowledgeHit = Static<typeof KnowledgeHit>;

export const KnowledgeSearch = Type.Object({
  data: Type.Array(KnowledgeHit),
  by_meaning: Type.Boolean({ description: 'Whether passages were compared by their meaning too.' }),
  quotes: Type.Boolean({ description: 'Whether an agent without a model would quote the first passage.' }),
});
export type KnowledgeSearch = Static<typeof KnowledgeSearch>;

const ofSource = Type.Object({ workspace_id: text(), knowledge_source_id: text() });

export const knowledgeOperations = {
  listKnowledgeSources: defineConsoleOperation({
    id: 'listKnowledgeSources',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/knowledge-sources',
    audience: 'admin',
    summary: 'List the knowledge sources, the latest first',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      cursor: Type.Optional(text()),
      limit: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    reply: { status: 200, body: page(KnowledgeSourceState) },
    refusals: ['unprocessable_content'],
  }),
  changeKnowledgeSource: defineConsoleOperation({
    id: 'changeKnowledgeSource',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/knowledge-sources/{knowledge_source_id}',
    audience: 'admin',
    summary: 'Choose the AI agents that may use a knowledge source, unless somebody chose since the given version',
    idempotent: false,
    params: ofSource,
    body: Type.Object({ version: text(), ai_agent_ids: agents('Null for all agents.') }),
    reply: { status: 200, body: KnowledgeSourceState },
    refusals: ['not_found', 'changed_meanwhile', 'unprocessable_content'],
  }),
  reindexKnowledgeSource: defineConsoleOperation({
    id: 'reindexKnowledgeSource',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/knowledge-sources/{knowledge_source_id}/reindex',
    audience: 'admin',
    summary: 'Read a page or a file again; its earlier passages are found until then',
    idempotent: false,
    params: ofSource,
    reply: { status: 200, body: KnowledgeSourceState },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  deleteKnowledgeSource: defineConsoleOperation({
    id: 'deleteKnowledgeSource',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/knowledge-sources/{knowledge_source_id}',
    audience: 'admin',
    summary: 'Delete a knowledge source with its passages',
    idempotent: false,
    params: ofSource,
    reply: nothing,
    refusals: ['not_found'],
  }),
  tryKnowledge: defineConsoleOperation({
    id: 'tryKnowledge',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/knowledge-searches',
    audience: 'admin',
    summary: 'Find the passages that an AI agent would get for a question; a model of embeddings costs credits',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({
      question: Type.String({ minLength: 1, maxLength: 1_000 }),
      ai_agent_id: Type.Optional(text('Absent: all knowledge.')),
    }),
    reply: { status: 200, body: KnowledgeSearch },
    refusals: ['unprocessable_content'],
  }),
};
