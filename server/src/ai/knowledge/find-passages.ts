import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { searchWords } from './search-words.ts';

/** A passage of the knowledge, with its match to a query. */
export interface Passage {
  body: string;
  source_id: string;
  /** The name of its source. */
  source: string;
  /** From 0 to 1: the share of the query in the passage; rare words weigh more. */
  coverage: number;
  embedding: Buffer | null;
}

export interface PassageSearch {
  workspace_id: string;
  text: string;
  /** Limits the search to the knowledge of an agent. Undefined: everything, for people. */
  agent_id?: string | undefined;
  count: number;
  with_embeddings?: boolean;
}

interface QueryTerm {
  stem: number;
  beginning: number | null;
  stem_passages: number;
  beginning_passages: number;
}

const selectTerms = statement<QueryTerm>(`
  select k.stem, k.beginning, coalesce(s.passages, 0) as stem_passages, coalesce(b.passages, 0) as beginning_passages
  from knowledge_terms($1, $2) k
  left join knowledge_term_counts s on s.workspace_id = $1 and s.term = k.stem
  left join knowledge_term_counts b on b.workspace_id = $1 and b.term = k.beginning`);

// Bounds the compared passages for knowledge of any size. Compared are passages with the rarest words of the query, and
// passages with several of its words, if each word alone is too frequent.
const maxCompared = 500;
const isAllowed = '($4::uuid is null or p.ai_agent_ids is null or $4 = any (p.ai_agent_ids))';

const selectBest = statement<Passage>(`
  with found as materialized (
    (select p.source_id, p.position, p.terms from knowledge_passages p
     where p.workspace_id = $1 and p.terms && $2::integer[] and ${isAllowed} limit ${maxCompared})
    union all
    (select p.source_id, p.position, p.terms from knowledge_passages p
     where cardinality($3::integer[]) > 0 and p.workspace_id = $1 and p.terms @> $3 and ${isAllowed}
     limit ${maxCompared})
  ), ranked as (
    select f.source_id, f.position,
      sum(case when a.stem = any (f.terms) then a.weight when a.beginning = any (f.terms) then a.weight * 0.6 end) as coverage
    from (select distinct on (source_id, position) * from found) f
    cross join json_to_recordset($5) as a (stem integer, beginning integer, weight float8)
    group by f.source_id, f.position
    order by coverage desc nulls last, f.source_id, f.position
    limit $6
  )
  select p.body, p.source_id, s.name as source, coalesce(r.coverage, 0) as coverage, case when $7 then p.embedding end as embedding
  from ranked r
  join knowledge_passages p on p.workspace_id = $1 and p.source_id = r.source_id and p.position = r.position
  join knowledge_sources s on s.workspace_id = $1 and s.id = r.source_id
  order by r.coverage desc nulls last, r.source_id desc, r.position`);

// Longer queries are cut, and only their rarest words are searched.
const maxQueryChars = 4_000;
const maxTerms = 16;

/** The best passages for a text, the best first, without equal passages. */
export async function findPassages(connection: Connection, search: PassageSearch): Promise<Passage[]> {
  const { workspace_id, text, agent_id = null, count, with_embeddings = false } = search;
  const folded = searchWords(text.slice(0, maxQueryChars));
  if (folded === '') return [];
  const terms = weighTerms(await selectTerms(connection, [workspace_id, folded]));
  const { rare, frequent } = chooseTerms(terms);
  const weights = JSON.stringify(terms.map(({ stem, beginning, weight }) => ({ stem, beginning, weight })));
  const select = (any: number[], all: number[]) =>
    selectBest(connection, [workspace_id, any, all, agent_id, weights, count * 2, with_embeddings]);
  const together = frequent.length > 1 ? frequent : [];
  let passages = rare.length + together.length > 0 ? await select(rare, together) : [];
  if (passages.length === 0 && frequent.length > 0) passages = await select(frequent.slice(0, 1), []);
  const byText = new Map(passages.toReversed().map((passage) => [passage.body, passage]));
  return [...byText.values()].reverse().slice(0, count);
}

type WeightedTerm = QueryTerm & { weight: number };

/** Weights by rarity, with the sum 1. Unknown words weigh most, so that passages without them have a low coverage. */
function weighTerms(terms: QueryTerm[]): WeightedTerm[] {
  const weighed = terms
    .map((one) => ({ ...one, weight: 1 / (1 + Math.log(Math.max(1, one.stem_passages || one.beginning_passages))) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxTerms);
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  return weighed.map((one) => ({ ...one, weight: one.weight / total }));
}

/**
 * `rare`: the rarest terms with at most `maxCompared` passages in sum; a passage must have one. `frequent`: if terms are left,
 * the three rarest stems; a passage must have all.
 */
function chooseTerms(terms: WeightedTerm[]): { rare: number[]; frequent: number[] } {
  const known = new Map<number, number>();
  for (const { stem, beginning, stem_passages, beginning_passages } of terms) {
    if (stem_passages > 0) known.set(stem, stem_passages);
    if (beginning !== null && beginning_passages > 0) known.set(beginning, beginning_passages);
  }
  const rarest = [...known].sort(([, a], [, b]) => a - b);
  let sum = 0;
  const rare = rarest.filter(([, passages]) => {
    sum += passages;
    return sum <= maxCompared;
  });
  if (rare.length === rarest.length) return { rare: rare.map(([term]) => term), frequent: [] };
  const stems = rarest.filter(([term]) => terms.some(({ stem }) => stem === term));
  const frequent = (stems.length > 0 ? stems : rarest).slice(0, 3);
  return { rare: rare.map(([term]) => term), frequent: frequent.map(([term]) => term) };
}
