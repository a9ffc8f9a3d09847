import type { FastifyInstance } from 'fastify';
import { listAiAnswers } from '../ai/answers/read-answers.ts';
import { type KnowledgeSourceRow, listKnowledgeSources } from '../ai/knowledge/read-knowledge-sources.ts';
import type { AiAnswer } from '../ai/queries.ts';
import { deleteSource } from '../ai/queries.ts';
import { parseId, publicId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { getWorkspaceId } from './apply/get-workspace-id.ts';

const pageSize = 1_000;

interface Listing {
  Params: { id: string };
  Querystring: { after?: string };
}

/** What AI read and did: knowledge sources, with what cannot be read and why, and the answers of agents. */
export function aiRoutes(app: FastifyInstance, { pool }: Pick<Resources, 'pool'>): void {
  app.get<Listing>('/workspaces/:id/knowledge-sources', async ({ params, query }) => {
    const rows = await listKnowledgeSources(pool, await getWorkspaceId(pool, params.id), readPage(query.after));
    return pageOf(rows, presentSource);
  });

  app.delete<{ Params: { id: string; source_id: string } }>(
    '/workspaces/:id/knowledge-sources/:source_id',
    async ({ params }, reply) => {
      const workspace_id = await getWorkspaceId(pool, params.id);
      const source_id = parseId('knowledge_source', params.source_id);
      const isDeleted = source_id && (await transaction(pool, (tx) => deleteSource(tx, workspace_id, source_id)));
      if (!isDeleted) throw new Refusal('not_found', { detail: 'There is no such knowledge source.' });
      return reply.code(204).send();
    },
  );

  app.get<Listing>('/workspaces/:id/ai-answers', async ({ params, query }) => {
    const rows = await listAiAnswers(pool, await getWorkspaceId(pool, params.id), readPage(query.after));
    return pageOf(rows, presentAnswer);
  });
}

/** Behind the entry with this id. */
function readPage(public_id: string | undefined): { after: string | null; count: number } {
  const after = public_id === undefined ? null : parseId('ai_answer', public_id);
  if (after === undefined) throw invalid({ detail: 'is not the id of an entry', pointer: '/after' });
  return { after, count: pageSize + 1 };
}

function pageOf<Row>(rows: readonly Row[], present: (row: Row) => object): { data: object[]; has_more: boolean } {
  return { data: rows.slice(0, pageSize).map(present), has_more: rows.length > pageSize };
}

function presentSource(row: KnowledgeSourceRow): object {
  const { id, type, name, ai_agent_ids, status, error, passages, created_at, indexed_at } = row;
  return {
    ...{ id: publicId('knowledge_source', id), type, name },
    ...(ai_agent_ids && { ai_agent_ids: ai_agent_ids.map((agent) => publicId('ai_agent', agent)) }),
    status,
    ...(error !== null && { error }),
    passages,
    created_at: created_at.toISOString(),
    ...(indexed_at && { indexed_at: indexed_at.toISOString() }),
  };
}

function presentAnswer({
  id,
  ai_agent_id,
  conversation_id,
  outcome,
  reason,
  message_id,
  created_at,
}: AiAnswer): object {
  return {
    id: publicId('ai_answer', id),
    ai_agent_id: publicId('ai_agent', ai_agent_id),
    conversation_id: publicId('conversation', conversation_id),
    outcome,
    ...(reason !== null && { reason }),
    ...(message_id !== null && { message_id: publicId('message', message_id) }),
    created_at: created_at.toISOString(),
  };
}
