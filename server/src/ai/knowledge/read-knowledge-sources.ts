import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

export interface KnowledgeSourceRow {
  workspace_id: string;
  id: string;
  type: 'url' | 'file' | 'text';
  name: string;
  media_id: string | null;
  /** Of the file, while it exists. */
  mime: string | null;
  body: string | null;
  ai_agent_ids: string[] | null;
  status: 'waiting' | 'indexed' | 'failed';
  error: string | null;
  passages: number;
  created_at: Date;
  indexed_at: Date | null;
}

const select = `
  select s.workspace_id, s.id, s.type, s.name, s.media_id, m.mime, s.ai_agent_ids, s.status, s.error, s.passages,
    s.created_at, s.indexed_at`;
const from = `
  from knowledge_sources s left join media m on m.workspace_id = s.workspace_id and m.id = s.media_id
  where s.workspace_id = $1`;

const selectOne = statement<KnowledgeSourceRow>(`${select}, s.body ${from} and s.id = $2`);
const selectPage = statement<KnowledgeSourceRow>(`
  ${select}, null as body ${from} and ($2::uuid is null or s.id > $2) order by s.id limit $3`);
const selectLatest = statement<KnowledgeSourceRow>(`
  ${select}, null as body ${from} and ($2::uuid is null or s.id < $2) order by s.id desc limit $3`);

export async function findKnowledgeSource(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<KnowledgeSourceRow | undefined> {
  return (await selectOne(connection, [workspace_id, id]))[0];
}

/** In the order of creation, after the source `after`, without their texts. */
export function listKnowledgeSources(
  connection: Connection,
  workspace_id: string,
  { after, count }: { after: string | null; count: number },
): Promise<KnowledgeSourceRow[]> {
  return selectPage(connection, [workspace_id, after, count]);
}

/** The latest first, before the source `before`, without their texts. */
export function listLatestSources(
  connection: Connection,
  workspace_id: string,
  { before, count }: { before: string | null; count: number },
): Promise<KnowledgeSourceRow[]> {
  return selectLatest(connection, [workspace_id, before, count]);
}
