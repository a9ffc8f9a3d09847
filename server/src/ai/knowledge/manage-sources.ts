import { createHash } from 'node:crypto';
import type { KnowledgeSourceState } from '@majlis/console-api';
import { publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { indexSourceJob } from '../jobs.ts';
import { listAiAgents } from '../list-ai-agents.ts';
import { deleteSource, lockSource, setSourceAgents, setSourceWaiting } from '../queries.ts';
import { readAgentIds } from './check-source.ts';
import { findKnowledgeSource, type KnowledgeSourceRow } from './read-knowledge-sources.ts';

interface NamedSource {
  workspace_id: string;
  id: string;
}

/** Chooses the agents that may use a source, unless somebody chose since `version`. */
export async function changeSourceAgents(
  tx: Transaction,
  source: NamedSource,
  { version, ai_agent_ids }: { version: string; ai_agent_ids: string[] | null },
): Promise<KnowledgeSourceRow> {
  const { workspace_id, id } = source;
  const before = await lockRow(tx, source);
  if (versionOfSource(before) !== version) throw new Refusal('changed_meanwhile');
  const known = new Set((await listAiAgents(tx, workspace_id)).map((agent) => agent.id));
  const agents = readAgentIds(ai_agent_ids ?? undefined, known);
  await setSourceAgents(tx, workspace_id, id, agents);
  return { ...before, ai_agent_ids: agents };
}

/** Reads a page or a file again. What an earlier reading found stays until then. */
export async function reindexSource(tx: Transaction, clock: Clock, source: NamedSource): Promise<KnowledgeSourceRow> {
  const before = await lockRow(tx, source);
  if (before.type === 'text') throw invalid({ detail: 'names a text, which never changes', pointer: '' });
  if (before.status === 'waiting') return before;
  const { workspace_id, id } = source;
  await setSourceWaiting(tx, workspace_id, id);
  await enqueueJobs(tx, [indexSourceJob({ workspace_id, source_id: id }, clock.now())]);
  return { ...before, status: 'waiting', error: null };
}

/** Deletes a source with its passages, and answers what it was. */
export async function removeSource(tx: Transaction, source: NamedSource): Promise<KnowledgeSourceRow> {
  const before = await lockRow(tx, source);
  await deleteSource(tx, source.workspace_id, source.id);
  return before;
}

async function lockRow(tx: Transaction, { workspace_id, id }: NamedSource): Promise<KnowledgeSourceRow> {
  const isThere = await lockSource(tx, workspace_id, id);
  const row = isThere && (await findKnowledgeSource(tx as Connection, workspace_id, id));
  if (!row) throw new Refusal('not_found');
  return row;
}

export function presentSourceState(row: KnowledgeSourceRow): KnowledgeSourceState {
  const { id, type, name, ai_agent_ids, status, error, passages, created_at, indexed_at } = row;
  return {
    id: publicId('knowledge_source', id),
    ...{ type, name, status, passages },
    ...(error !== null && { error }),
    ai_agent_ids: ai_agent_ids?.map((agent) => publicId('ai_agent', agent)) ?? null,
    created_at: created_at.toISOString(),
    ...(indexed_at && { indexed_at: indexed_at.toISOString() }),
    version: versionOfSource(row),
  };
}

function versionOfSource({ ai_agent_ids }: KnowledgeSourceRow): string {
  const values = JSON.stringify(ai_agent_ids && [...ai_agent_ids].sort());
  return createHash('sha256').update(values).digest('base64url').slice(0, 16);
}
