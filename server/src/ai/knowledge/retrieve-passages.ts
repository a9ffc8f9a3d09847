import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Meter, Model } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { findPassages, type Passage, type PassageSearch } from './find-passages.ts';
import { cosineSimilarity } from './vectors.ts';

const maxRanked = 50;
// Small knowledge is compared as a whole, to find the same meaning in other words or languages.
const maxWholeKnowledge = 300;

const selectAll = statement<Passage>(`
  select p.body, p.source_id, s.name as source, 0::float8 as coverage, p.embedding
  from knowledge_passages p
  join knowledge_sources s on s.workspace_id = p.workspace_id and s.id = p.source_id
  where p.workspace_id = $1 and p.embedding is not null
    and ($2::uuid is null or p.ai_agent_ids is null or $2 = any (p.ai_agent_ids))
  order by p.source_id, p.position
  limit $3`);

/** The best passages by their words and, with a working embedding model, by their meaning. */
export async function retrievePassages(
  connection: Connection,
  { embed }: Pick<Model, 'embed'>,
  search: PassageSearch,
  meter: Meter,
): Promise<Passage[]> {
  if (!embed || search.text.trim() === '') return findPassages(connection, search);
  const vector = await embed([search.text.slice(0, 4_000).toWellFormed()], meter).catch((error) => {
    if (error instanceof ModelFailure) return [];
    throw error;
  });
  if (!vector[0]) return findPassages(connection, search);
  const byWords = await findPassages(connection, { ...search, count: maxRanked, with_embeddings: true });
  const all = await selectAll(connection, [search.workspace_id, search.agent_id ?? null, maxWholeKnowledge + 1]);
  const known = new Set(byWords.map(({ body }) => body));
  const others = all.length <= maxWholeKnowledge ? all.filter(({ body }) => !known.has(body)) : [];
  return rank([...byWords, ...others], vector[0]).slice(0, search.count);
}

/** Words and meaning count equally. A passage without a vector of this model is ranked by its words. */
function rank(passages: readonly Passage[], vector: readonly number[]): Passage[] {
  const ranks = new Map(
    passages.map((passage) => {
      const close = passage.embedding ? cosineSimilarity(passage.embedding, vector) : undefined;
      return [passage, close === undefined ? passage.coverage : (passage.coverage + Math.max(0, close)) / 2];
    }),
  );
  return passages.toSorted((a, b) => ranks.get(b)! - ranks.get(a)!);
}
