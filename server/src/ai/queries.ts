import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { SourceRef } from './jobs.ts';

export interface AiAgentValues {
  name: string;
  status: string | null;
  languages: string[];
  instructions: string | null;
  monthly_credits: number | null;
  /** Its answers wait for a person. */
  proposes: boolean;
}

export interface StoredAiAgent extends AiAgentValues {
  id: string;
  /** The name in the workspace file, where a person has renamed the agent. */
  file_name: string | null;
  /** When a person last changed it. */
  changed_at: Date | null;
}

const agentColumns = [
  ...(['id', 'name', 'status', 'languages', 'instructions', 'monthly_credits', 'proposes'] as const),
  ...(['file_name', 'changed_at'] as const),
] as const;

/** Locks all agents of a workspace, in the order of their creation. */
export function lockAiAgents(tx: Transaction, workspace_id: string): Promise<StoredAiAgent[]> {
  const query = build.selectFrom('ai_agents').select(agentColumns).where('workspace_id', '=', workspace_id);
  return run(tx, query.orderBy('id').forNoKeyUpdate());
}

/** False where another agent has the name. */
export async function insertAiAgent(tx: Transaction, workspace_id: string, agent: StoredAiAgent): Promise<boolean> {
  const query = build.insertInto('ai_agents').values({ workspace_id, ...agent });
  const rows = await run(
    tx,
    query.onConflict((on) => on.columns(['workspace_id', 'name']).doNothing()).returning('id'),
  );
  return rows.length > 0;
}

export async function updateAiAgent(
  tx: Transaction,
  workspace_id: string,
  id: string,
  change: Partial<Omit<StoredAiAgent, 'id'>>,
): Promise<void> {
  const query = build.updateTable('ai_agents').set(change).where('workspace_id', '=', workspace_id);
  await run(tx, query.where('id', '=', id));
}

const openBudget = statement(`insert into ai_budgets (workspace_id) values ($1) on conflict do nothing`);

const selectBudgetRow = statement<{ monthly_credits: number | null; changed_at: Date | null }>(`
  select monthly_credits, changed_at from ai_budgets where workspace_id = $1 for no key update`);

/** The limit of the workspace, with its row locked. */
export async function holdBudget(
  tx: Transaction,
  workspace_id: string,
): Promise<{ monthly_credits: number | null; changed_at: Date | null }> {
  await openBudget(tx, [workspace_id]);
  return (await selectBudgetRow(tx, [workspace_id]))[0]!;
}

const updateBudget = statement(`
  update ai_budgets set monthly_credits = $2, changed_at = $3
  where workspace_id = $1 and (monthly_credits, changed_at) is distinct from ($2, $3)`);

/** Null removes the limit. `changed_at` is the time of a person's change. */
export async function saveBudget(
  tx: Transaction,
  workspace_id: string,
  credits: number | null,
  changed_at: Date | null,
): Promise<void> {
  await updateBudget(tx, [workspace_id, credits, changed_at]);
}

const selectBudget = statement<{ monthly_credits: number | null }>(`
  select monthly_credits from ai_budgets where workspace_id = $1 for no key update`);

/** Null without a limit. The lock makes simultaneous tasks count one after the other. */
export async function lockBudget(tx: Transaction, workspace_id: string): Promise<number | null> {
  return (await selectBudget(tx, [workspace_id]))[0]?.monthly_credits ?? null;
}

const selectAgentBudget = statement<{ monthly_credits: number | null }>(`
  select monthly_credits from ai_agents where workspace_id = $1 and id = $2 for no key update`);

/** Null without a limit of its own. The lock makes simultaneous tasks of the agent count one after the other. */
export async function lockAgentBudget(tx: Transaction, workspace_id: string, id: string): Promise<number | null> {
  return (await selectAgentBudget(tx, [workspace_id, id]))[0]?.monthly_credits ?? null;
}

const sumCredits = statement<{ credits: number }>(`
  select coalesce(sum(credits), 0)::bigint as credits from ai_usage
  where workspace_id = $1 and created_at >= $2 and created_at < $3 and id <> $4`);

/** The credits of a period, without those of this task, which an earlier attempt may have booked. */
export async function countCredits(
  connection: Connection,
  { workspace_id, id }: Pick<NewUsage, 'workspace_id' | 'id'>,
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
): Promise<number> {
  return (await sumCredits(connection, [workspace_id, starts_at, ends_at, id]))[0]!.credits;
}

const sumMonth = statement<{ credits: number }>(`
  select coalesce(sum(credits), 0)::bigint as credits from ai_usage
  where workspace_id = $1 and created_at >= $2 and created_at < $3`);

export async function sumCreditsOfMonth(
  connection: Connection,
  workspace_id: string,
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
): Promise<number> {
  return (await sumMonth(connection, [workspace_id, starts_at, ends_at]))[0]!.credits;
}

const sumCreditsOfAgent = statement<{ credits: number }>(`
  select coalesce(sum(credits), 0)::bigint as credits from ai_usage
  where workspace_id = $1 and ai_agent_id = $5 and created_at >= $2 and created_at < $3 and id <> $4`);

export async function countCreditsOfAgent(
  connection: Connection,
  { workspace_id, id, ai_agent_id }: Pick<NewUsage, 'workspace_id' | 'id' | 'ai_agent_id'>,
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
): Promise<number> {
  const values = [workspace_id, starts_at, ends_at, id, ai_agent_id];
  return (await sumCreditsOfAgent(connection, values))[0]!.credits;
}

export interface NewUsage {
  workspace_id: string;
  id: string;
  /** The agent that answered. */
  ai_agent_id: string | null;
  credits: number;
  created_at: Date;
}

const upsertUsage = statement(`
  insert into ai_usage (workspace_id, id, credits, created_at, ai_agent_id) values ($1, $2, $3, $4, $5)
  on conflict (workspace_id, id) do update set credits = excluded.credits`);

/** Replaces the credits of an earlier booking of the task. */
export async function saveUsage(connection: Connection, usage: NewUsage): Promise<void> {
  const { workspace_id, id, credits, created_at, ai_agent_id } = usage;
  await upsertUsage(connection, [workspace_id, id, credits, created_at, ai_agent_id]);
}

const deleteUsageRow = statement(`delete from ai_usage where workspace_id = $1 and id = $2`);

export async function deleteUsage(connection: Connection, workspace_id: string, id: string): Promise<void> {
  await deleteUsageRow(connection, [workspace_id, id]);
}

/** The outcome of one answer task of an agent. */
export interface AiAnswer {
  workspace_id: string;
  id: string;
  ai_agent_id: string;
  conversation_id: string;
  outcome: 'sent' | 'proposed' | 'handed_over' | 'refused';
  reason: string | null;
  message_id: string | null;
  created_at: Date;
}

/** The columns of a `NewAnswer`. */
export const answerColumns = 'workspace_id, id, ai_agent_id, conversation_id, outcome, reason, message_id, created_at';

const insertAnswers = statement(`
  insert into ai_answers (${answerColumns})
  values ($1, $2, $3, $4, $5, $6, $7, $8)`);

export async function insertAiAnswer(tx: Transaction, answer: AiAnswer): Promise<void> {
  const { workspace_id, id, ai_agent_id, conversation_id, outcome, reason, message_id, created_at } = answer;
  const values = [workspace_id, id, ai_agent_id, conversation_id, outcome, reason, message_id, created_at];
  await insertAnswers(tx, values);
}

export interface NewSource {
  workspace_id: string;
  id: string;
  type: 'url' | 'file' | 'text';
  name: string;
  media_id: string | null;
  body: string | null;
  ai_agent_ids: string[] | null;
  created_at: Date;
}

const insertSources = statement(`
  insert into knowledge_sources (workspace_id, id, type, name, media_id, body, ai_agent_ids, status, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8)`);

export async function insertSource(tx: Transaction, source: NewSource): Promise<void> {
  const { workspace_id, id, type, name, media_id, body, ai_agent_ids, created_at } = source;
  await insertSources(tx, [workspace_id, id, type, name, media_id, body, ai_agent_ids, created_at]);
}

const updateFailed = statement(`
  update knowledge_sources set status = 'failed', error = $3, body = null where workspace_id = $1 and id = $2`);

export async function setSourceFailed(tx: Transaction, workspace_id: string, id: string, error: string): Promise<void> {
  await updateFailed(tx, [workspace_id, id, error]);
}

const updateIndexed = statement(`
  update knowledge_sources set status = 'indexed', error = null, body = null, passages = $3, indexed_at = $4
  where workspace_id = $1 and id = $2`);

export async function setSourceIndexed(
  tx: Transaction,
  { workspace_id, id }: Pick<NewSource, 'workspace_id' | 'id'>,
  passages: number,
  now: Date,
): Promise<void> {
  await updateIndexed(tx, [workspace_id, id, passages, now]);
}

export interface NewPassage {
  position: number;
  body: string;
  /** The folded words of the passage, for the search. */
  folded: string;
  /** Hexadecimal. */
  embedding: string | null;
}

const insertBatch = statement(`
  insert into knowledge_passages (workspace_id, source_id, position, body, ai_agent_ids, terms, embedding)
  select s.workspace_id, s.id, n.position, n.body, s.ai_agent_ids, coalesce((
      select array_agg(distinct term) from knowledge_terms($1, n.folded) k, unnest(array[k.stem, k.beginning]) as term
      where term is not null
    ), '{}'), decode(n.embedding, 'hex')
  from knowledge_sources s
  cross join json_to_recordset($3) as n (position integer, body text, folded text, embedding text)
  where s.workspace_id = $1 and s.id = $2`);

const batchSize = 250;

export async function insertPassages(
  tx: Transaction,
  workspace_id: string,
  source_id: string,
  passages: readonly NewPassage[],
): Promise<void> {
  for (let at = 0; at < passages.length; at += batchSize) {
    await insertBatch(tx, [workspace_id, source_id, JSON.stringify(passages.slice(at, at + batchSize))]);
  }
  await changeCounts(tx, [workspace_id, source_id, 1]);
}

const selectBareSources = statement<SourceRef>(`
  select s.workspace_id, s.id as source_id from knowledge_sources s
  where s.status = 'indexed' and exists (
    select from knowledge_passages p
    where p.workspace_id = s.workspace_id and p.source_id = s.id and p.embedding is null
  )
  order by s.workspace_id, s.id`);

/** The sources of all workspaces with a passage that has no vector. */
export function listSourcesWithoutEmbeddings(connection: Connection): Promise<SourceRef[]> {
  return selectBareSources(connection, []);
}

const selectBare = statement<Pick<NewPassage, 'position' | 'body'>>(`
  select position, body from knowledge_passages
  where workspace_id = $1 and source_id = $2 and embedding is null order by position limit $3`);

export function findPassagesWithoutEmbedding(
  connection: Connection,
  { workspace_id, source_id }: SourceRef,
  count: number,
) {
  return selectBare(connection, [workspace_id, source_id, count]);
}

const updateEmbeddings = statement(`
  update knowledge_passages p set embedding = decode(n.embedding, 'hex')
  from json_to_recordset($3) as n (position integer, embedding text)
  where p.workspace_id = $1 and p.source_id = $2 and p.position = n.position`);

/** Passages never change. Embeddings of a deleted source are dropped. */
export async function saveEmbeddings(
  connection: Connection,
  { workspace_id, source_id }: SourceRef,
  embeddings: readonly Pick<NewPassage, 'position' | 'embedding'>[],
): Promise<void> {
  await updateEmbeddings(connection, [workspace_id, source_id, JSON.stringify(embeddings)]);
}

// Ordered by term, so that two sources of a workspace cannot deadlock.
const changeCounts = statement(`
  insert into knowledge_term_counts as c (workspace_id, term, passages)
  select $1, term, count(*)::integer * $3::integer
  from knowledge_passages p, unnest(p.terms) as term
  where p.workspace_id = $1 and p.source_id = $2
  group by term order by term
  on conflict (workspace_id, term) do update set passages = c.passages + excluded.passages`);

const lockSources = statement(`select from knowledge_sources where workspace_id = $1 and id = $2 for update`);

/** False if it does not exist. */
export async function lockSource(tx: Transaction, workspace_id: string, id: string): Promise<boolean> {
  return (await lockSources(tx, [workspace_id, id])).length > 0;
}

const deletePassagesOf = statement(`delete from knowledge_passages where workspace_id = $1 and source_id = $2`);

/** Deletes what an earlier reading of a locked source found. */
export async function deletePassages(tx: Transaction, workspace_id: string, source_id: string): Promise<void> {
  await changeCounts(tx, [workspace_id, source_id, -1]);
  await deletePassagesOf(tx, [workspace_id, source_id]);
}

const updateWaiting = statement(`
  update knowledge_sources set status = 'waiting', error = null where workspace_id = $1 and id = $2`);

/** Its passages stay until it is read again. */
export async function setSourceWaiting(tx: Transaction, workspace_id: string, id: string): Promise<void> {
  await updateWaiting(tx, [workspace_id, id]);
}

const updateAgentsOfSource = statement(`
  update knowledge_sources set ai_agent_ids = $3 where workspace_id = $1 and id = $2`);
const updateAgentsOfPassages = statement(`
  update knowledge_passages set ai_agent_ids = $3 where workspace_id = $1 and source_id = $2`);

/** Chooses the agents of a locked source; null for all. */
export async function setSourceAgents(
  tx: Transaction,
  workspace_id: string,
  id: string,
  ai_agent_ids: string[] | null,
): Promise<void> {
  await updateAgentsOfSource(tx, [workspace_id, id, ai_agent_ids]);
  await updateAgentsOfPassages(tx, [workspace_id, id, ai_agent_ids]);
}

const deleteSources = statement(`delete from knowledge_sources where workspace_id = $1 and id = $2`);

/** Deletes a source with its passages. False if it does not exist. */
export async function deleteSource(tx: Transaction, workspace_id: string, id: string): Promise<boolean> {
  if (!(await lockSource(tx, workspace_id, id))) return false;
  await changeCounts(tx, [workspace_id, id, -1]);
  await deleteSources(tx, [workspace_id, id]);
  return true;
}

const selectOlder = statement<{ id: string }>(`
  select o.id from knowledge_sources o
  join knowledge_sources s on s.workspace_id = o.workspace_id and s.name = o.name
  where s.workspace_id = $1 and s.id = $2 and s.type = 'url' and o.type = 'url' and o.id < s.id and o.status <> 'waiting'
  order by o.id`);

/** The older sources with the same address. */
export async function findOlderSources(tx: Transaction, workspace_id: string, id: string): Promise<string[]> {
  return (await selectOlder(tx, [workspace_id, id])).map((row) => row.id);
}
