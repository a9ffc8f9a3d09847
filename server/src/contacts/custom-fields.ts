import type { CustomField, CustomFieldCreate } from '@majlis/contract';
import { newId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';

/** The oldest first. */
export async function listCustomFields(connection: Connection, workspace_id: string): Promise<CustomField[]> {
  const query = build
    .selectFrom('custom_fields')
    .select(['key', 'label', 'type', 'options'])
    .where('workspace_id', '=', workspace_id)
    .orderBy('id');
  return (await run(connection, query)).map(({ key, label, type, options }) => ({
    key,
    ...(label !== null && { label }),
    type: type as CustomField['type'],
    ...(options !== null && { options }),
  }));
}

const insertCustomField = statement(`
  insert into custom_fields (workspace_id, id, key, label, type, options) values ($1, $2, $3, $4, $5, $6)
  on conflict (workspace_id, md5(key)) do nothing returning id`);

/** Defines a custom field. Of two concurrent requests for one key, the second is refused. */
export async function createCustomField(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  field: CustomFieldCreate,
): Promise<CustomField> {
  const { key, label, type, options } = field;
  if (type === 'select' && !options?.length) {
    throw invalid({ detail: 'must hold the choices of a select', pointer: '/options' });
  }
  // The JSON parser refuses bodies with this member, so the field could never have a value.
  if (key === '__proto__') throw invalid({ detail: 'cannot be the key of a custom field', pointer: '/key' });
  const created = await insertCustomField(tx, [workspace_id, newId(clock), key, label ?? null, type, options ?? null]);
  if (created.length === 0) throw invalid({ detail: 'is the key of another custom field', pointer: '/key' });
  return { key, ...(label !== undefined && { label }), type, ...(options && { options }) };
}
