import pg from 'pg';

type Query = (...statement: unknown[]) => Promise<unknown>;

/**
 * Collects the texts of the prepared statements that this process runs from now on, each once. A builder gives each place
 * of a value its own parameter: equal values get the number of the first.
 */
export function recordTexts(): ReadonlySet<string> {
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  const texts = new Set<string>();
  client.query = function (this: object, ...statement) {
    const [first] = statement as [string | { name?: string; text: string; values: unknown[] }];
    if (typeof first !== 'string' && first.name) {
      texts.add(first.text.replaceAll(/\$(\d+)/g, (_, n) => `$${first.values.indexOf(first.values[n - 1]) + 1}`));
    }
    return query.apply(this, statement);
  };
  return texts;
}
