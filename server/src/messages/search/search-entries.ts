import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { type Author, authorOf } from './author.ts';
import { termsOf } from './words.ts';

/** A message that becomes searchable. */
export interface UnindexedRow {
  id: string;
  conversation_id: string;
  direction: string;
  kind: string;
  body: string | null;
  filename: string | null;
}

export interface Entry {
  message_id: string;
  conversation_id: string;
  written_by: Author;
  segment_terms: string;
}

/** The terms of a message in its segment; undefined for one without words. */
export function entryOf(row: UnindexedRow, { number }: { number: number }): Entry | undefined {
  const terms = termsOf([row.body, row.filename]);
  if (terms.length === 0) return undefined;
  // A term has letters, digits and marks alone, so it needs no escape.
  const segment_terms = terms.map((term) => `'${number}.${term}'`).join(' ');
  return { message_id: row.id, conversation_id: row.conversation_id, written_by: authorOf(row), segment_terms };
}

const insertTerms = statement(`
  insert into message_search (workspace_id, message_id, conversation_id, written_by, segment_terms)
  select $1, n.message_id, n.conversation_id, n.written_by, n.segment_terms::tsvector
  from json_to_recordset($2) as n (message_id uuid, conversation_id uuid, written_by text, segment_terms text)
  order by n.message_id`);

export async function insertEntries(connection: Connection, workspace_id: string, entries: readonly Entry[]) {
  await insertTerms(connection, [workspace_id, JSON.stringify(entries)]);
}
