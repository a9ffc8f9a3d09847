import { randomUUID } from 'node:crypto';
import type { RunningService } from './start-test-service.ts';

/** The contact that the new rows belong to, with ids of the database. */
export interface FilledFor {
  workspace_id: string;
  contact_id: string;
  channel_id: string;
  conversation_id: string;
  message_id: string;
  number: string;
  /** A text that occurs in all other texts of the rows. */
  text: string;
}

interface Column {
  table: string;
  name: string;
  type: string;
  is_nullable: boolean;
  /** The table of this column's foreign key, without the key to workspaces. */
  refers_to: string | null;
}

/** The service has written the rows of these tables. */
const made = new Set(['contacts', 'contact_identities', 'conversations', 'messages', 'live_changes']);
const persons = /(?:^|_)(contact|conversation|message)_id$/;
const numbers = /^(?:to|recipient|identifier|wa_id|phone)$/;
const names = [persons, numbers];

/**
 * Inserts rows about the contact into every table that can refer to it, one for each such column: by a foreign key to
 * contacts, conversations or messages, or by its name. Answers the tables. It reads the catalogue, so new tables are
 * covered.
 */
export async function fillTables({ sql }: Pick<RunningService, 'sql'>, owner: FilledFor): Promise<string[]> {
  const byTable = Map.groupBy(await readColumns({ sql }), ({ table }) => table);
  const isTheirs = ({ name, refers_to }: Column) => names.some((one) => one.test(name)) || made.has(refers_to ?? '');

  /**
   * Of the nullable columns that can refer to the contact, only `only` gets a value. Without it the row is merely referred to, and
   * has what it must have: the service reads some of these rows, such as users, and must be able to.
   */
  async function insert(table: string, text: string, only?: Column): Promise<Record<string, unknown>> {
    const row: Record<string, unknown> = {};
    for (const column of byTable.get(table)!) {
      const isLeftOut = column.is_nullable && (only ? column !== only && isTheirs(column) : !column.refers_to);
      row[column.name] = isLeftOut ? null : await pick(column, text);
    }
    const columns = Object.keys(row).join(', ');
    await sql(
      `insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1)
       on conflict do nothing`,
      [JSON.stringify(row)],
    );
    return row;
  }

  async function pick({ name, type, is_nullable, refers_to }: Column, text: string): Promise<unknown> {
    if (name === 'workspace_id') return owner.workspace_id;
    const person = made.has(refers_to ?? '') ? refers_to!.slice(0, -1) : persons.exec(name)?.[1];
    if (person) return owner[`${person}_id` as 'contact_id'];
    if (refers_to === 'channels') return owner.channel_id;
    if (refers_to) return is_nullable ? null : (await insert(refers_to, 'elsewhere')).id;
    return numbers.test(name) ? owner.number : ofType(type, text);
  }

  const filled: string[] = [];
  for (const [table, columns] of byTable) {
    const theirs = columns.filter(isTheirs);
    if (theirs.length === 0 || made.has(table)) continue;
    for (const column of theirs) await insert(table, owner.text, column);
    filled.push(table);
  }
  return filled;
}

function ofType(type: string, text: string): unknown {
  switch (type) {
    case 'uuid':
      return randomUUID();
    case 'text':
      return `${text} ${randomUUID()}`;
    case 'ARRAY':
      return [text];
    case 'json':
    case 'jsonb':
      return { text };
    case 'bytea':
      return `\\x${Buffer.from(text).toString('hex')}`;
    case 'boolean':
      return false;
    case 'date':
    case 'timestamp with time zone':
      // In an hour: no job of the service finds such a row too old.
      return new Date(Date.now() + 3_600_000).toISOString();
    default:
      return 1;
  }
}

function readColumns({ sql }: Pick<RunningService, 'sql'>): Promise<Column[]> {
  return sql<Column & Record<string, unknown>>(`
    select c.table_name as "table", c.column_name as name, c.data_type as type, c.is_nullable = 'YES' as is_nullable,
      (select f.confrelid::regclass::text from pg_constraint f
       where f.contype = 'f' and f.conrelid = quote_ident(c.table_name)::regclass and c.ordinal_position = any (f.conkey)
         and c.column_name <> 'workspace_id' limit 1) as refers_to
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and c.is_identity = 'NO'
    order by c.table_name, c.ordinal_position`);
}
