import type { BroadcastState, ExclusionReason, RecipientStatus } from '@majlis/console-api';
import type { WordId } from '../words/word-id.ts';
import { currentLocale, isWord, t } from '../words/words.ts';

/** What people call the state of a broadcast; `paused` is no status of the contract. */
export type ShownStatus = 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled';

export function shownStatus({ broadcast: { status }, paused }: BroadcastState): ShownStatus {
  return paused ? 'paused' : (status as ShownStatus);
}

export const statusKinds: Record<ShownStatus, 'plain' | 'accent' | 'warning'> = {
  scheduled: 'plain',
  sending: 'accent',
  paused: 'warning',
  sent: 'accent',
  cancelled: 'plain',
};

export function statusText(status: ShownStatus): string {
  const id = `broadcasts.status_${status}`;
  return isWord(id) ? t(id) : status;
}

export const recipientWords: Record<RecipientStatus | 'replied', WordId> = {
  waiting: 'broadcasts.recipient_waiting',
  queued: 'broadcasts.recipient_queued',
  sent: 'broadcasts.recipient_sent',
  delivered: 'broadcasts.recipient_delivered',
  read: 'broadcasts.recipient_read',
  failed: 'broadcasts.recipient_failed',
  replied: 'broadcasts.recipient_replied',
};

export const exclusionWords: Record<ExclusionReason, WordId> = {
  invalid_phone: 'broadcasts.out_invalid_phone',
  wrong_params: 'broadcasts.out_wrong_params',
  repeated: 'broadcasts.out_repeated',
  no_number: 'broadcasts.out_no_number',
  contact_blocked: 'broadcasts.out_contact_blocked',
  opt_in_missing: 'broadcasts.out_opt_in_missing',
  bot_in_control: 'broadcasts.out_bot_in_control',
  other: 'broadcasts.out_other',
};

/** A share of the whole, without a fraction: `42 %`. */
export const shareText = (part: number, whole: number) =>
  new Intl.NumberFormat(currentLocale(), { style: 'percent' }).format(whole === 0 ? 0 : part / whole);
