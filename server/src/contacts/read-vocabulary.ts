import type { CustomField } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Caller } from '../http/authenticate.ts';
import type { Vocabulary } from './read-contact.ts';

/** The members of a body that name something of the workspace. */
interface Naming {
  stage_id?: string | null | undefined;
  custom_fields?: Record<string, unknown> | undefined;
}

/**
 * The stages, custom fields and options that these bodies name, as far as the workspace has them. The others are not read: every
 * write of a contact would carry megabytes of them.
 */
export async function readVocabulary(
  tx: Transaction,
  { workspace_id, country }: Pick<Caller, 'workspace_id' | 'country'>,
  bodies: readonly Naming[],
): Promise<Vocabulary> {
  const fields = await findFields(tx, workspace_id, bodies);
  return {
    country: country ?? undefined,
    custom_fields: fields,
    stage_ids: await findStages(tx, workspace_id, bodies),
  };
}

// The removal of a stage waits, and then takes it from the contacts that got it.
const holdStages = statement<{ id: string }>(`
  select id from stages where workspace_id = $1 and id = any ($2) and removed_at is null order by id for share`);

async function findStages(tx: Transaction, workspace_id: string, bodies: readonly Naming[]) {
  const named = new Set(bodies.flatMap(({ stage_id }) => (stage_id ? (parseId('stage', stage_id) ?? []) : [])));
  if (named.size === 0) return new Set<string>();
  return new Set((await holdStages(tx, [workspace_id, [...named]])).map(({ id }) => id));
}

const selectTypes = statement<{ key: string; type: CustomField['type'] }>(
  'select key, type from custom_fields where workspace_id = $1 and key = any ($2)',
);
// An intersection takes the sum of both sides, however many options a field has and values a body.
const selectOptions = statement<{ key: string; option: string }>(`
  select f.key, o.option from custom_fields f cross join unnest(f.options) as o (option)
  where f.workspace_id = $1 and f.key = any ($2)
  intersect select n.key, n.value from unnest($2::text[], $3::text[]) as n (key, value)`);

async function findFields(connection: Connection, workspace_id: string, bodies: readonly Naming[]) {
  const values = valuesByKey(bodies);
  const fields = new Map<string, { type: CustomField['type']; options: string[] }>();
  if (values.size === 0) return fields;
  for (const { key, type } of await selectTypes(connection, [workspace_id, [...values.keys()]])) {
    fields.set(key, { type, options: [] });
  }
  const pairs = [...fields].flatMap(([key, { type }]) =>
    type === 'select' ? [...values.get(key)!].map((value) => ({ key, value })) : [],
  );
  if (pairs.length === 0) return fields;
  const named = [pairs.map(({ key }) => key), pairs.map(({ value }) => value)];
  for (const { key, option } of await selectOptions(connection, [workspace_id, ...named])) {
    fields.get(key)!.options.push(option);
  }
  return fields;
}

/** The texts that bodies give to each key. */
function valuesByKey(bodies: readonly Naming[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const { custom_fields = {} } of bodies) {
    for (const [key, value] of Object.entries(custom_fields)) {
      const known = values.get(key) ?? new Set();
      if (typeof value === 'string') known.add(value);
      values.set(key, known);
    }
  }
  return values;
}
