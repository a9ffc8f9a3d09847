import type { BroadcastRecipientState } from '@majlis/console-api';
import { confirmed } from '../app/confirm.tsx';
import { downloadCsv } from '../contacts/import/download-csv.ts';
import { causeOf } from '../conversation/thread/failure-cause.ts';
import { Failure, request } from '../live/request.ts';
import { failureSentences } from '../words/failure-sentences.ts';
import { t } from '../words/words.ts';
import { statePath } from './broadcast-data.ts';
import { recipientWords } from './broadcast-words.ts';

interface RecipientsOfPage {
  data: BroadcastRecipientState[];
  next_cursor?: string;
}

interface Exported {
  workspace_id: string;
  id: string;
  name: string;
}

/** Downloads the recipients with their statuses and reasons. Answers their number. */
export async function exportRecipients(
  { workspace_id, id, name }: Exported,
  onProgress: (count: number) => void,
): Promise<number> {
  const path = `${statePath(workspace_id, id)}/recipient-exports`;
  const sentences = await failureSentences();
  const recipients: BroadcastRecipientState[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(path, cursor);
    recipients.push(...page.data);
    cursor = page.next_cursor;
    onProgress(recipients.length);
  } while (cursor !== undefined);
  const most = recipients.reduce((count, { params }) => Math.max(count, params.length), 0);
  const values = Array.from({ length: most }, (_, index) => t('broadcasts.value', { number: index + 1 }));
  const header = (['to', 'name', 'status', 'reason', 'error', 'replied_at'] as const).map((id) =>
    t(`broadcasts.column_${id}`),
  );
  const rows = recipients.map(({ to, name: contact = '', status, code, error = '', replied_at = '', params }) => [
    to,
    contact,
    t(recipientWords[status]),
    status === 'failed' ? sentences[causeOf(code)] : '',
    error,
    replied_at,
    ...values.map((_, index) => params[index] ?? ''),
  ]);
  downloadCsv(`${name}.csv`, [[...header, ...values], ...rows]);
  return recipients.length;
}

async function read(path: string, cursor: string | undefined): Promise<RecipientsOfPage> {
  try {
    return await confirmed(() => request<RecipientsOfPage>('POST', path, cursor === undefined ? {} : { cursor }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error;
    await new Promise((resolve) => setTimeout(resolve, error.retry_after_seconds * 1000));
    return read(path, cursor);
  }
}
