import pg from 'pg';
// The server's own type parsers are registered with it.
import '../../server/src/database/pool.ts';

export interface DescribedStatement {
  /** `nullable`: the table's column that gives the value, where that column may be null. */
  columns: { name: string; kind: string; nullable: string | undefined }[];
  /** The kinds of JavaScript values that each parameter takes. */
  parameters: string[][];
}

/** Texts as PostgreSQL sends them, by type: their parser tells the kind of value that the service gets. */
const samples: Record<string, string> = {
  bool: 't',
  bytea: '\\x00',
  date: '2000-01-01',
  timestamptz: '2000-01-01 00:00:00.000+00',
};
for (const name of ['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid']) samples[name] = '1';

/** Prepares a text without running it. Rejects with PostgreSQL's error where a column, a table or a type is wrong. */
export async function describeStatement(
  client: pg.Client,
  text: string,
  catalogue: Catalogue,
): Promise<DescribedStatement> {
  const { columns, parameters } = await prepare(client, text);
  return {
    columns: columns.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      kind: catalogue.types.get(dataTypeID)!.read,
      nullable: catalogue.nullable.get(`${tableID} ${columnID}`),
    })),
    parameters: parameters.map((oid) => catalogue.types.get(oid)!.takes),
  };
}

export interface Catalogue {
  /** The kind of value that a column of a type gives, and those that a parameter takes, by the type's number. */
  types: ReadonlyMap<number, { read: string; takes: string[] }>;
  /** `messages.status` by the numbers of its table and column. */
  nullable: ReadonlyMap<string, string>;
}

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const { rows } = await client.query<{ key: string; name: string }>(`
    select format('%s %s', attrelid::int8, attnum) as key, format('%s.%s', attrelid::regclass, attname) as name
    from pg_attribute where attnum > 0 and not attnotnull`);
  return { types: await readTypes(client), nullable: new Map(rows.map(({ key, name }) => [key, name])) };
}

async function readTypes(client: pg.Client): Promise<Catalogue['types']> {
  const { rows } = await client.query<{ oid: number; name: string; element: number; element_name: string | null }>(`
    select t.oid::int4, t.typname::text as name, e.oid::int4 as element, e.typname::text as element_name
    from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'`);
  return new Map(
    rows.map(({ oid, name, element, element_name }) => {
      if (element_name === null) return [oid, { read: kindOf(oid, name), takes: takenBy(oid, name) }];
      const takes = takenBy(element, element_name).map((kind) => `${kind}[]`);
      return [oid, { read: kindOfArray(oid, element_name), takes }];
    }),
  );
}

/** JSON may be a text already. A bigint may be too large for a number. */
function takenBy(oid: number, name: string): string[] {
  if (isJson(name)) return ['string', 'object'];
  return name === 'int8' ? ['number', 'string'] : [kindOf(oid, name)];
}

function kindOf(oid: number, name: string): string {
  return isJson(name) ? 'json' : nameOf(pg.types.getTypeParser(oid)(samples[name] ?? 'text'));
}

const isJson = (name: string) => name === 'json' || name === 'jsonb';

/** The elements of an array may be parsed otherwise than single values: those of bigint[] are strings. */
function kindOfArray(oid: number, element: string): string {
  if (isJson(element)) return 'json[]';
  const value: unknown = pg.types.getTypeParser(oid)(`{"${(samples[element] ?? 'text').replace('\\', '\\\\')}"}`);
  return Array.isArray(value) ? `${nameOf(value[0])}[]` : 'string';
}

function nameOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return 'Buffer';
  return value instanceof Date ? 'Date' : typeof value;
}

/** By the extended protocol: parse and describe, without bind and execute. */
function prepare(client: pg.Client, text: string): Promise<{ columns: pg.FieldDef[]; parameters: number[] }> {
  return new Promise((resolve, reject) => {
    const found: { columns: pg.FieldDef[]; parameters: number[] } = { columns: [], parameters: [] };
    const described = {
      submit(connection: pg.Connection) {
        connection.once('parameterDescription', ({ dataTypeIDs }) => {
          found.parameters = dataTypeIDs;
        });
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
        found.columns = fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(found),
    };
    client.query(described);
  });
}
