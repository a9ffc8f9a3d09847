import type { Contact, CustomField, Stage } from '@majlis/contract';
import { confirmed } from '../../app/confirm.tsx';
import { Failure, request } from '../../live/request.ts';
import { t } from '../../words/words.ts';
import { downloadCsv } from './download-csv.ts';

interface ContactsOfPage {
  data: Contact[];
  next_cursor?: string;
}

interface Vocabulary {
  fields: readonly CustomField[];
  stages: readonly Stage[];
}

/** Downloads all contacts as a file that the import reads again. Answers their number. */
export async function exportContacts(
  workspace_id: string,
  { fields, stages }: Vocabulary,
  onProgress: (count: number) => void,
): Promise<number> {
  const path = `/workspaces/${workspace_id}/contact-exports`;
  const header = [
    ...(['phone', 'name', 'email', 'language', 'tags', 'vip', 'marketing', 'stage'] as const).map((target) =>
      t(`import.target_${target}`),
    ),
    ...fields.map(({ key, label }) => label ?? key),
  ];
  const stageNames = new Map(stages.map(({ id, name }) => [id, name]));
  const rows: string[][] = [header];
  let cursor: string | undefined;
  do {
    const page = await read(path, cursor);
    for (const contact of page.data) rows.push(toRow(contact, fields, stageNames));
    cursor = page.next_cursor;
    onProgress(rows.length - 1);
  } while (cursor !== undefined);
  downloadCsv(`${t('contacts.title')}.csv`, rows);
  return rows.length - 1;
}

async function read(path: string, cursor: string | undefined): Promise<ContactsOfPage> {
  try {
    return await confirmed(() => request<ContactsOfPage>('POST', path, cursor === undefined ? {} : { cursor }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error;
    await new Promise((resolve) => setTimeout(resolve, error.retry_after_seconds * 1000));
    return read(path, cursor);
  }
}

function toRow(contact: Contact, fields: readonly CustomField[], stageNames: ReadonlyMap<string, string>): string[] {
  const {
    identities,
    name = '',
    email = '',
    language = '',
    tags,
    vip,
    consents,
    stage_id,
    custom_fields = {},
  } = contact;
  const answer = (value: unknown) => (value === undefined ? '' : value ? '1' : '0');
  return [
    identities[0]?.identifier ?? '',
    name,
    email,
    language,
    tags.join(', '),
    answer(vip),
    answer(consents.chatapp_marketing),
    (stage_id !== undefined && stageNames.get(stage_id)) || '',
    ...fields.map(({ key, type }) =>
      type === 'boolean' ? answer(custom_fields[key]) : String(custom_fields[key] ?? ''),
    ),
  ];
}
