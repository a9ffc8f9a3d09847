import type { KnowledgeSource } from '@majlis/contract';
import { newId, parseId } from '../../database/ids.ts';
import { storableText } from '../../database/storable-text.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import { lockForUse } from '../../media/queries.ts';
import type { Clock } from '../../process/clock.ts';
import { isFromCustomer } from '../answers/is-from-customer.ts';
import { indexSourceJob } from '../jobs.ts';
import { listAiAgents } from '../list-ai-agents.ts';
import { insertSource, type NewSource } from '../queries.ts';
import { readAgentIds, type SourceContent } from './check-source.ts';

const maxNameChars = 80;

/** Stores a knowledge source with the job that reads it. */
export async function addKnowledgeSource(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { content, ai_agent_ids }: { content: SourceContent } & Pick<KnowledgeSource, 'ai_agent_ids'>,
): Promise<void> {
  const known = new Set((await listAiAgents(tx, workspace_id)).map(({ id }) => id));
  const agents = readAgentIds(ai_agent_ids, known);
  const now = clock.now();
  const source = { workspace_id, id: newId(clock), ai_agent_ids: agents, created_at: now };
  await insertSource(tx, { ...source, ...(await readSource(tx, workspace_id, content)) });
  await enqueueJobs(tx, [indexSourceJob({ workspace_id, source_id: source.id }, now)]);
}

async function readSource(
  tx: Transaction,
  workspace_id: string,
  content: SourceContent,
): Promise<Pick<NewSource, 'type' | 'name' | 'media_id' | 'body'>> {
  const { type } = content;
  if (type === 'url') return { type, name: content.url, media_id: null, body: null };
  if (type === 'text') {
    const body = storableText(content.text);
    return { type, name: shorten(body), media_id: null, body };
  }
  const media_id = parseId('media', content.media_id);
  const [media] = media_id ? await lockForUse(tx, [{ workspace_id, id: media_id }]) : [];
  if (!media) throw new Refusal('media_not_found');
  // The source would outlive the erasure of the contact.
  if (await isFromCustomer(tx, workspace_id, media.id)) {
    throw invalid({ detail: 'is a file that a contact sent', pointer: '/media_id' });
  }
  return { type, name: media.filename ?? content.media_id, media_id: media.id, body: null };
}

/** The first words of a text. */
function shorten(text: string): string {
  const line = text.trim().split('\n')[0]!.replace(/\s+/g, ' ');
  const letters = [...line];
  return letters.length <= maxNameChars
    ? line
    : `${letters
        .slice(0, maxNameChars)
        .join('')
        .replace(/\s+\S*$/, '')}…`;
}
