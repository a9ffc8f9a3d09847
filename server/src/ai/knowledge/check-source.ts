import type { KnowledgeSource } from '@majlis/contract';
import { parseId } from '../../database/ids.ts';
import { invalid, unknownReference } from '../../http/reply/refusal.ts';
import { checkUrl } from '../../outbound/check-url.ts';
import type { Resources } from '../../process/resources.ts';

/** The content of a knowledge source: exactly one of the three. */
export type SourceContent =
  | { type: 'url'; url: string }
  | { type: 'file'; media_id: string }
  | { type: 'text'; text: string };

const members = { url: 'url', file: 'media_id', text: 'text' } as const;

/** Reads the member that `type` names or, without `type`, the only given member. */
export function readSourceContent(body: KnowledgeSource): SourceContent {
  const given = (Object.keys(members) as (keyof typeof members)[]).filter((type) => body[members[type]] !== undefined);
  const type = body.type ?? (given.length === 1 ? given[0]! : undefined);
  if (!type) throw invalid({ detail: 'must have exactly one of url, media_id and text', pointer: '' });
  const member = members[type];
  const other = given.find((one) => one !== type);
  if (other)
    throw invalid({ detail: `does not belong to a source of the type ${type}`, pointer: `/${members[other]}` });
  const value = body[member];
  if (value === undefined || value.trim() === '') throw invalid({ detail: 'is required', pointer: `/${member}` });
  if (type === 'url') return { type, url: value };
  return type === 'file' ? { type, media_id: value } : { type, text: value };
}

/** Refuses a forbidden address. Resolves its name, so no transaction may be open. */
export async function checkSource({ config }: Pick<Resources, 'config'>, content: SourceContent): Promise<void> {
  if (content.type !== 'url') return;
  const check = await checkUrl(content.url, { allow_private: config.webhookAllowPrivate });
  if (!check.ok) throw invalid({ detail: check.reason, pointer: '/url' });
}

/** The ids of the agents that may use the source; null for all. Refuses unknown ids with their pointers. */
export function readAgentIds(ids: readonly string[] | undefined, known: ReadonlySet<string>): string[] | null {
  if (ids === undefined) return null;
  const agents = ids.map((id) => parseId('ai_agent', id) ?? '');
  const faults = agents.flatMap((id, index) =>
    known.has(id) ? [] : [unknownReference('names no AI agent', `/ai_agent_ids/${index}`)],
  );
  if (faults.length > 0) throw invalid(faults);
  return [...new Set(agents)];
}
