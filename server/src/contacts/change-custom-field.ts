import type { CustomField } from '@majlis/contract';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { digestOf } from '../http/digest-of.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { findCustomField } from './custom-fields.ts';

export const fieldVersion = ({ key, label, type, options }: CustomField): string =>
  digestOf([key, label, type, options]);

const lockField = statement('select from custom_fields where workspace_id = $1 and key = $2 for update');

async function requireField(tx: Transaction, workspace_id: string, key: string, version: string): Promise<CustomField> {
  await lockField(tx, [workspace_id, key]);
  const field = await requireCustomField(tx, workspace_id, key);
  if (fieldVersion(field) !== version) throw new Refusal('changed_meanwhile');
  return field;
}

export async function requireCustomField(
  connection: Connection,
  workspace_id: string,
  key: string,
): Promise<CustomField> {
  const field = await findCustomField(connection, workspace_id, key);
  if (!field) throw new Refusal('not_found');
  return field;
}

interface FieldChange {
  key: string;
  version: string;
  label?: string | undefined;
  options?: string[] | undefined;
}

/** Changes the label and the options. Contacts keep a value that is no option any more. */
export async function changeCustomField(
  tx: Transaction,
  workspace_id: string,
  { key, version, label: text, options }: FieldChange,
): Promise<CustomField> {
  const field = await requireField(tx, workspace_id, key, version);
  const label = text?.trim();
  if (options && field.type !== 'select') {
    throw invalid({ detail: 'are for a field of the type select', pointer: '/options' });
  }
  if (options?.length === 0) throw invalid({ detail: 'must hold the choices of a select', pointer: '/options' });
  const change = {
    ...(label !== undefined && { label: label === '' ? null : label }),
    ...(options && { options: [...new Set(options.map((option) => option.trim()))].filter((one) => one !== '') }),
  };
  if (Object.keys(change).length > 0) {
    const query = build.updateTable('custom_fields').set(change);
    await run(tx, query.where('workspace_id', '=', workspace_id).where('key', '=', key));
  }
  return requireCustomField(tx, workspace_id, key);
}

/** Deletes the definition. The values of the contacts are for the caller. */
export async function deleteCustomField(
  tx: Transaction,
  workspace_id: string,
  key: string,
  version: string,
): Promise<void> {
  await requireField(tx, workspace_id, key, version);
  const query = build.deleteFrom('custom_fields').where('workspace_id', '=', workspace_id).where('key', '=', key);
  await run(tx, query);
}
