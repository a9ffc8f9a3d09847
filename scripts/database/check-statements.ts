import type pg from 'pg';
import { checkBindings } from './check-bindings.ts';
import { type DescribedStatement, describeStatement, readCatalogue } from './describe-statement.ts';
import { readStatementTypes, type TypedStatement, type ValueKinds } from './read-statement-types.ts';
import { recordStatements } from './record-statements.ts';

/** Columns that some statements read only where they are not null, by their conditions. */
const excludedNulls = new Set([
  ...[
    'events.position',
    'jobs.worker_id',
    'ledger_entries.category',
    'live_changes.position',
    'templates.submitted_at',
  ],
  ...['messages.status', 'messages.recipient', 'messages.body', 'webhook_attempts.listed_at', 'users.person_id'],
]);

/**
 * Prepares every statement of the server and compares it with its TypeScript types: the names and types of the columns with
 * the row type, the number and types of the parameters with the values of its calls. A column that may be null in its table
 * needs null in the row type; outer joins and expressions are not followed. Queries of Kysely's builder have their types
 * from the generated tables. Kysely's `sql` fragments are put together in a request, so they are not checked here.
 */
export async function checkStatements(client: pg.Client): Promise<string[]> {
  const typed = readStatementTypes();
  const recorded = await recordStatements(new Set(typed.map(({ place }) => place.split(':')[0]!)));
  const catalogue = await readCatalogue(client);
  const faults = await checkBindings(recorded);
  for (const statement of typed) {
    const texts = recorded.get(statement.place);
    if (!texts) faults.push(`${statement.place}: cannot be checked, because its module does not make it when it loads`);
    for (const text of texts ?? []) {
      try {
        const { columns, parameters } = await describeStatement(client, text, catalogue);
        faults.push(...compareColumns(statement, columns), ...compareValues(statement, parameters));
      } catch (error) {
        faults.push(`${statement.place}: ${(error as Error).message}`);
      }
    }
  }
  return faults;
}

function compareColumns({ place, row }: TypedStatement, columns: DescribedStatement['columns']): string[] {
  if (!row) return [];
  const named = new Map(columns.map(({ name, kind }) => [name, kind]));
  const members = new Map(row.map((member) => [member.name, member]));
  return [
    ...(named.size < columns.length ? [`${place}: two columns have the same name`] : []),
    ...row
      .filter(({ name, isOptional }) => !isOptional && !named.has(name))
      .map(({ name }) => `${place}: lacks the column ${name}`),
    ...columns.flatMap(({ name, kind, nullable }) => {
      const member = members.get(name);
      if (!member) return [`${place}: the row type lacks the column ${name}`];
      if (nullable && !excludedNulls.has(nullable) && !member.kinds.has('null') && !member.kinds.has('any')) {
        return [`${place}: ${name} may be null`];
      }
      return isKind(kind, member.kinds) ? [] : [`${place}: ${name} is ${kind}, not ${[...member.kinds].join(' or ')}`];
    }),
  ];
}

/** pg writes an array as an array of PostgreSQL, never as JSON: such a value is a fault too. */
function compareValues({ calls }: TypedStatement, parameters: readonly string[][]): string[] {
  return calls.flatMap(({ place, values }) => {
    if (!values) return [];
    if (values.length !== parameters.length)
      return [`${place}: ${values.length} values for ${parameters.length} parameters`];
    return parameters.flatMap((takes, n) => {
      const wrong = [...values[n]!].filter((kind) => kind !== 'any' && kind !== 'null' && !takes.includes(kind));
      return wrong.map((kind) => `${place}: $${n + 1} takes ${takes.join(' or ')}, not ${kind}`);
    });
  });
}

function isKind(kind: string, kinds: ValueKinds): boolean {
  return kind.startsWith('json') || [...kinds].every((one) => one === kind || one === 'any' || one === 'null');
}
