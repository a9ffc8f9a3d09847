import type pg from 'pg';
import { describeStatement, readTypes } from './describe-statement.ts';
import { type Kinds, readStatementTypes, type TypedStatement } from './read-statement-types.ts';
import { recordStatements } from './record-statements.ts';

/**
 * Prepares every statement of the server and compares it with its TypeScript types: the names and types of the columns with
 * the row type, the number and types of the parameters with the values of its calls. It does not see whether a column may be
 * null. Queries of Kysely's builder are typed by the generated tables; Kysely's `sql` fragments exist only in a request.
 */
export async function checkStatements(client: pg.Client): Promise<string[]> {
  const typed = readStatementTypes();
  const recorded = await recordStatements(new Set(typed.map(({ place }) => place.split(':')[0]!)));
  const types = await readTypes(client);
  const faults: string[] = [];
  for (const statement of typed) {
    const texts = recorded.get(statement.place);
    if (!texts)
      faults.push(`${statement.place}: this statement is not made when its module is loaded, so it is not checked`);
    for (const text of texts ?? []) {
      try {
        const { columns, parameters } = await describeStatement(client, text, types);
        faults.push(...compareColumns(statement, columns), ...compareValues(statement, parameters));
      } catch (error) {
        faults.push(`${statement.place}: ${(error as Error).message}`);
      }
    }
  }
  return faults;
}

function compareColumns({ place, row }: TypedStatement, columns: readonly { name: string; kind: string }[]): string[] {
  if (!row) return [];
  const named = new Map(columns.map(({ name, kind }) => [name, kind]));
  const members = new Map(row.map((member) => [member.name, member]));
  return [
    ...(named.size < columns.length ? [`${place}: two columns have the same name`] : []),
    ...row
      .filter(({ name, isOptional }) => !isOptional && !named.has(name))
      .map(({ name }) => `${place}: lacks the column ${name}`),
    ...columns.flatMap(({ name, kind }) => {
      const member = members.get(name);
      if (!member) return [`${place}: the row type lacks the column ${name}`];
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
      const wrong = [...values[n]!].filter((kind) => kind !== 'any' && !takes.includes(kind));
      return wrong.map((kind) => `${place}: $${n + 1} takes ${takes.join(' or ')}, not ${kind}`);
    });
  });
}

function isKind(kind: string, kinds: Kinds): boolean {
  return kind.startsWith('json') || [...kinds].every((one) => one === kind || one === 'any');
}
