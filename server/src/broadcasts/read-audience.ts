import type { BroadcastCreate, BroadcastRecipient } from '@majlis/contract';
import { mapInSlices } from '../concurrency/map-in-slices.ts';
import { normalizePhone, phoneDigits } from '../contacts/normalize-phone.ts';
import { findByPublicId } from '../conversations/find-by-public-id.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, unknownReference } from '../http/reply/refusal.ts';
import { waIdVariants } from '../platform/number-variants.ts';
import type { NewRecipient } from './queries.ts';

export interface Audience {
  tags?: string[];
  stage_id?: string;
  recipients?: NewRecipient[];
}

type RequestedAudience = BroadcastCreate['audience'];

/** Reads the audience of a new broadcast. Refuses each number that is none. */
export async function readAudience(
  tx: Transaction,
  workspace_id: string,
  audience: RequestedAudience,
  country: string | undefined,
): Promise<Audience> {
  requireOneAudience(audience);
  const { tags, stage_id, recipients } = audience;
  if (tags) return { tags };
  if (recipients) {
    const entries = await readEntries(recipients, country);
    if (entries.unread.length > 0) {
      const detail = 'is not a phone number';
      throw invalid(entries.unread.map((index) => ({ detail, pointer: `/audience/recipients/${index}/to` })));
    }
    return { recipients: entries.read };
  }
  return { stage_id: await requireStage(tx, workspace_id, stage_id!) };
}

export function requireOneAudience({ tags, stage_id, recipients }: RequestedAudience): void {
  if ([tags, stage_id, recipients].filter((one) => one !== undefined).length !== 1) {
    throw invalid({ detail: 'must have exactly one of tags, stage_id and recipients', pointer: '/audience' });
  }
}

export async function requireStage(tx: Transaction, workspace_id: string, stage_id: string): Promise<string> {
  const stage = await findByPublicId(tx, 'stage', workspace_id, stage_id);
  if (!stage) throw invalid(unknownReference('names no stage', '/audience/stage_id'));
  return stage;
}

export interface ListEntries {
  read: (NewRecipient & { index: number })[];
  /** The places of entries whose number is none. */
  unread: number[];
  /** How many entries name a number again. */
  repeated: number;
}

/**
 * Reads each number once, as E.164, with its first params. The two spellings of three countries are one number: the platform
 * would deliver both messages to the same customer (platform protocol, section 12).
 */
export async function readEntries(
  recipients: readonly BroadcastRecipient[],
  country: string | undefined,
): Promise<ListEntries> {
  const identifiers = await mapInSlices(recipients, ({ to }) => normalizePhone(to, country));
  const named = new Set<string>();
  const entries: ListEntries = { read: [], unread: [], repeated: 0 };
  for (const [index, { params = [] }] of recipients.entries()) {
    const identifier = identifiers[index];
    if (!identifier) entries.unread.push(index);
    else if (named.has(identifier)) entries.repeated++;
    else {
      entries.read.push({ identifier, params, index });
      for (const spelling of waIdVariants(phoneDigits(identifier))) named.add(spelling);
    }
  }
  return entries;
}
