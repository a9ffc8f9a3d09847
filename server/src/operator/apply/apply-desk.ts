import { isDeepStrictEqual } from 'node:util';
import { changeWords, findConsentWords } from '../../contacts/consents/consent-settings.ts';
import { createCustomField, listCustomFields } from '../../contacts/custom-fields.ts';
import type { Transaction } from '../../database/transaction.ts';
import { digestOf } from '../../http/digest-of.ts';
import { listSharedReplies, seedSharedReply } from '../../inbox/canned-replies.ts';
import type { Clock } from '../../process/clock.ts';
import { changeRetention, findRetention, presentRetention } from '../../retention/retention-settings.ts';
import { changeHours, readHours } from '../../workspaces/hours-settings.ts';
import type { Kept } from './kept.ts';
import { refuseUnder } from './refuse-under.ts';
import type { WorkspaceFile } from './workspace-file.ts';

interface Applying {
  tx: Transaction;
  clock: Clock;
  workspace_id: string;
  kept: Kept[];
}

/**
 * Makes what people otherwise make in the console: custom fields, business hours, shared canned replies, words of
 * consent, the retention. What exists stays as it is, because people may have changed it; where the file says otherwise, `kept` names it.
 */
export async function applyDesk(
  applying: Applying,
  { custom_fields = [], business_hours, canned_replies = [], consent_words, retention }: WorkspaceFile,
): Promise<void> {
  await applyFields(applying, custom_fields);
  if (business_hours) await applyHours(applying, business_hours);
  await applyReplies(applying, canned_replies);
  if (consent_words) await applyWords(applying, consent_words);
  if (retention) await applyRetention(applying, retention);
}

async function applyWords(
  { tx, workspace_id, kept }: Applying,
  file: NonNullable<WorkspaceFile['consent_words']>,
): Promise<void> {
  const before = await findConsentWords(tx, workspace_id);
  if (!before) {
    await refuseUnder('/consent_words', () => changeWords(tx, workspace_id, file));
    return;
  }
  for (const member of ['stop_words', 'start_words'] as const) {
    const in_file = file[member];
    if (in_file === undefined || isDeepStrictEqual(before[member], in_file)) continue;
    kept.push({ consent_words: 'words', member, value: before[member].join(', '), in_file: in_file.join(', ') });
  }
}

/** Once a person has switched it off, the file does not switch it on. */
async function applyRetention(
  { tx, workspace_id, kept }: Applying,
  { conversation_days }: NonNullable<WorkspaceFile['retention']>,
): Promise<void> {
  const before = await findRetention(tx, workspace_id);
  if (before === undefined) {
    await changeRetention(tx, workspace_id, { version: presentRetention(before).version, conversation_days });
  } else if (before !== conversation_days) {
    const [value, in_file] = [before?.toString() ?? null, String(conversation_days)];
    kept.push({ retention: 'conversations', member: 'conversation_days', value, in_file });
  }
}

async function applyFields(
  { tx, clock, workspace_id, kept }: Applying,
  files: NonNullable<WorkspaceFile['custom_fields']>,
): Promise<void> {
  if (files.length === 0) return;
  const stored = new Map((await listCustomFields(tx, workspace_id)).map((field) => [field.key, field]));
  for (const [index, file] of files.entries()) {
    const before = stored.get(file.key);
    if (!before) {
      await refuseUnder(`/custom_fields/${index}`, () => createCustomField(tx, clock, workspace_id, file));
      continue;
    }
    for (const member of ['label', 'type', 'options'] as const) {
      const [value, in_file] = [before[member], file[member]].map((one) => (Array.isArray(one) ? one.join(', ') : one));
      if (in_file !== undefined && value !== in_file) {
        kept.push({ custom_field: file.key, member, value: value ?? null, in_file });
      }
    }
  }
}

async function applyHours(
  { tx, workspace_id, kept }: Applying,
  hours: NonNullable<WorkspaceFile['business_hours']>,
): Promise<void> {
  const before = await readHours(tx, workspace_id);
  if (!before.hours) {
    const version = digestOf([null]);
    await refuseUnder('/business_hours', () => changeHours(tx, workspace_id, { version, hours }));
    return;
  }
  for (const member of ['weekly', 'closed_days', 'away_message'] as const) {
    if (hours[member] === undefined || isDeepStrictEqual(before.hours[member], hours[member])) continue;
    kept.push({ business_hours: 'hours', member, value: 'set by people', in_file: 'other' });
  }
}

async function applyReplies(
  { tx, clock, workspace_id, kept }: Applying,
  files: NonNullable<WorkspaceFile['canned_replies']>,
): Promise<void> {
  if (files.length === 0) return;
  const stored = await listSharedReplies(tx, workspace_id);
  for (const [index, file] of files.entries()) {
    const before = stored.find(({ name, language }) => name === file.name && language === (file.language ?? null));
    if (!before) {
      await refuseUnder(`/canned_replies/${index}`, () => seedSharedReply(tx, clock, workspace_id, file));
    } else if (before.body !== file.body) {
      kept.push({ canned_reply: file.name, member: 'body', value: before.body, in_file: file.body });
    }
  }
}
