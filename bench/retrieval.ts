import { seededRandom } from '@majlis/testing/seeded-random';
import pino from 'pino';
import { searchWords } from '../server/src/ai/knowledge/search-words.ts';
import { insertPassages, setSourceIndexed } from '../server/src/ai/queries.ts';
import { publicId } from '../server/src/database/ids.ts';
import { openPool } from '../server/src/database/pool.ts';
import { transaction } from '../server/src/database/transaction.ts';
import type { BenchEnvironment } from './environment.ts';
import { assertAll, load } from './load.ts';
import { print, printTimes } from './print.ts';
import type { BenchTenant } from './tenants.ts';

const sources = 100;
const passagesOfSource = 1_000;
const wordsOfPassage = 80;
const vocabulary = 50_000;
const { next } = seededRandom(42);

/** Drafts without a model: what they cost is the search for passages, over 100,000 of one workspace. */
export async function measureRetrieval(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const { workspace_id, key } = tenants[2]!;
  await fill(environment, workspace_id);
  const { rows } = await environment.db.query('select id from conversations where workspace_id = $1 limit 100', [
    workspace_id,
  ]);
  const service = await environment.start('api');
  for (const [what, connections, textOf] of [
    ['a question of 6 words, 1 connection', 1, () => words(6)],
    ['the same, 4 connections', 4, () => words(6)],
    ['of 2 words that are everywhere, 1 connection', 1, () => `${wordAt(3)} ${wordAt(7 + Math.floor(next() * 30))}`],
    ['of 60 words, 1 connection', 1, () => words(60)],
  ] as const) {
    const result = await load({
      url: service.url,
      connections,
      seconds: environment.seconds,
      next: (n) => ({
        method: 'POST',
        path: `/v1/conversations/${publicId('conversation', rows[n % rows.length].id)}/ai/compose`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ instruction: textOf() }),
      }),
    });
    assertAll(result, 200);
    printTimes(`a draft from 100,000 passages, ${what}: p50, p99`, result);
  }
  await service.stop();
}

async function fill({ db, connection }: BenchEnvironment, workspace_id: string): Promise<void> {
  const pool = openPool({ connection, size: 2, statement_timeout_ms: 60_000, log: pino({ level: 'silent' }) });
  const from = performance.now();
  for (let n = 0; n < sources; n++) {
    const { rows } = await db.query(
      `insert into knowledge_sources (workspace_id, id, type, name, status, created_at)
       values ($1, gen_random_uuid(), 'text', $2, 'waiting', now()) returning id`,
      [workspace_id, `Source ${n}`],
    );
    const source_id: string = rows[0].id;
    const passages = Array.from({ length: passagesOfSource }, (_, position) => {
      const body = words(wordsOfPassage);
      return { position, body, folded: searchWords(body), embedding: null };
    });
    await transaction(pool, async (tx) => {
      await insertPassages(tx, workspace_id, source_id, passages);
      await setSourceIndexed(tx, { workspace_id, id: source_id }, passages.length, new Date());
    });
  }
  const seconds = (performance.now() - from) / 1000;
  print('passages indexed', `${((sources * passagesOfSource) / seconds).toFixed(0)}/s`);
  await db.query('vacuum analyze knowledge_passages, knowledge_term_counts');
  await pool.close();
}

/** Zipf's law, as in languages: word n is n times rarer than the first. */
function words(count: number): string {
  return Array.from({ length: count }, () => wordAt(Math.floor(vocabulary ** next()))).join(' ');
}

// Letters of both scripts, so that both stemmers are measured.
const syllables = 'ba ki to mur sel dan fo ري مان سو كت لا نور هد zen gri'.split(' ');

function wordAt(rank: number): string {
  let word = '';
  for (let rest = rank + 300; rest > 0; rest = Math.floor(rest / 8)) word += syllables[(rest % 8) + (rank % 2) * 7];
  return word;
}
