import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { invalid } from '../../http/reply/refusal.ts';
import { type ConsentWords, defaultWords, readWords } from './consent-words.ts';

const select = statement<ConsentWords>(`
  select stop_words, start_words from consent_settings where workspace_id = $1`);

/** Undefined where nobody has changed the words. */
export async function findConsentWords(
  connection: Connection,
  workspace_id: string,
): Promise<ConsentWords | undefined> {
  return (await select(connection, [workspace_id]))[0];
}

export async function readConsentWords(connection: Connection, workspace_id: string): Promise<ConsentWords> {
  return (await findConsentWords(connection, workspace_id)) ?? defaultWords;
}

const upsert = statement(`
  insert into consent_settings (workspace_id, stop_words, start_words) values ($1, $2, $3)
  on conflict (workspace_id) do update set stop_words = excluded.stop_words, start_words = excluded.start_words`);

/** Changes the lists that were sent. */
export async function changeWords(
  connection: Connection,
  workspace_id: string,
  change: Partial<ConsentWords>,
): Promise<ConsentWords> {
  const before = await readConsentWords(connection, workspace_id);
  const words = readWords({ ...before, ...change });
  if ('detail' in words) throw invalid(words);
  await upsert(connection, [workspace_id, words.stop_words, words.start_words]);
  return words;
}
