import { searchKey } from '../../server/src/database/search-key.ts';
import type { RunningService } from './start-test-service.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A row in which one of the texts was found. */
export interface FoundRow {
  table: string;
  row: string;
}

/**
 * Every row of every table, the ones to come included, that holds one of these texts in any column: as text, in JSON, as bytes,
 * or in a searched key. Without regard to case. Changes for live streams keep ids for 15 minutes, also of what is erased: streams
 * tell them to the consoles that show it.
 */
export async function searchDatabase(
  { sql }: Pick<RunningService, 'sql'>,
  texts: readonly string[],
): Promise<FoundRow[]> {
  const tables = await sql<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const patternsOf = (wanted: readonly string[]) =>
    wanted
      .flatMap((text) => [text, Buffer.from(text).toString('hex'), searchKey(text).slice(0, -1)])
      .map((text) => `%${text}%`);
  const found: FoundRow[] = [];
  for (const { name } of tables) {
    const patterns = patternsOf(name === 'live_changes' ? texts.filter((text) => !uuid.test(text)) : texts);
    const rows = await sql<{ row: string }>(`select t::text as row from ${name} t where t::text ilike any ($1)`, [
      patterns,
    ]);
    found.push(...rows.map(({ row }) => ({ table: name, row })));
  }
  return found;
}
