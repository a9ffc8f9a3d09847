import type { CustomField, CustomFieldCreate } from '@majlis/contract';
import { newId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';

interface FieldRow {
  key: string;
  label: string | null;
  type: string;
  options: string[] | null;
}

// JSON, because the driver reads an array of texts letter by letter.
const columns = 'key, label, type, to_json(options) as options';
const selectAll = statement<FieldRow>(`select ${columns} from custom_fields where workspace_id = $1 order by id`);
const selectOne = statement<FieldRow>(
  `select ${columns} from custom_fields where workspace_id = $1 and md5(key) = md5($2) and key = $2`,
);

/** The oldest first. */
export async function listCustomFields(connection: Connection, workspace_id: string): Promise<CustomField[]> {
  return (await selectAll(connection, [workspace_id])).map(presentField);
}

export async function findCustomField(
  connection: Connection,
  workspace_id: string,
  key: string,
): Promise<CustomField | undefined> {
  return (await selectOne(connection, [workspace_id, key])).map(presentField)[0];
}

function presentField({ key, label, type, options }: FieldRow): CustomField {
  return {
    key,
    ...(label !== null && { label }),
    type: type as CustomField['type'],
    ...(options !== null && { options }),
  };
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
