import {
  type BroadcastPreview,
  type ExclusionReason,
  exclusionReasons,
  mayAct,
  type PreviewedRecipient,
  type Role,
} from '@majlis/console-api';
import { type BroadcastCreate, limits } from '@majlis/contract';
import { mapInSlices } from '../concurrency/map-in-slices.ts';
import { newId, publicId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import type { Caller } from '../http/authenticate.ts';
import type { Refusal } from '../http/reply/refusal.ts';
import { expectSends } from '../messages/accept/send-messages.ts';
import { optInMissing } from '../messages/rules.ts';
import type { Resources } from '../process/resources.ts';
import { applyParams } from '../templates/apply-params.ts';
import { type QuotedMessage, quotePrices } from '../workspaces/prices/quote.ts';
import { readWallet } from '../workspaces/read-wallet.ts';
import { type ContactAudience, countAudience, listAudience, namesOfContacts } from './list-audience.ts';
import { presentPace } from './present-state.ts';
import type { NewRecipient } from './queries.ts';
import { readEntries, requireOneAudience, requireStage } from './read-audience.ts';
import { refuseUnsendable } from './refuse-unsendable.ts';
import { requireSender, type Sender } from './require-sender.ts';
import { readTier } from './tier.ts';
import { toSend } from './to-send.ts';

const sliceSize = 500;
const mostShown = 50;

type Request = Pick<BroadcastCreate, 'channel_id' | 'template' | 'audience'>;

/** Who may be written to, before the rules of sends are asked. */
interface Candidates {
  total: number;
  more: boolean;
  checked: number;
  recipients: NewRecipient[];
  excluded: PreviewedRecipient[];
  counts: Map<ExclusionReason, number>;
  refused_entries: number[];
}

/**
 * Says whom a broadcast would reach by now. The rules that accept its messages are asked about the first 10,000 recipients, in
 * slices, so that no transaction is long. A later block, opt-in or handover changes the answer.
 */
export async function previewBroadcast(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  caller: Caller & { role: Role },
  { channel_id, template, audience }: Request,
): Promise<BroadcastPreview> {
  const { workspace_id } = caller;
  requireOneAudience(audience);
  const sender = await transaction(pool, (tx) => requireSender(tx, clock, workspace_id, { channel_id, template }));
  const { tags, recipients, stage_id } = audience;
  // An entry that does not fit is counted, and refuses nothing here.
  const refused = await refuseUnsendable(sender, recipients ? { recipients: [] } : audience);
  if (refused) throw refused;
  const { more, ...found } = recipients
    ? await readList(recipients, sender, caller.country ?? undefined)
    : await readContacts(tags ? { tags } : { stage_id: await findStage(stage_id!) });

  const { counts, excluded } = found;
  const exclude = (reason: ExclusionReason, recipient: PreviewedRecipient) => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    if (excluded.length < mostShown) excluded.push({ ...recipient, reason });
  };
  const reached: PreviewedRecipient[] = [];
  const reachedContacts = new Set<string>();
  const broadcast_id = newId(clock);
  const names = { template_name: template.name, template_language: template.language };
  let reachable = 0;
  let new_customers = 0;
  const priced: QuotedMessage[] = [];
  for (let from = 0; from < found.recipients.length; from += sliceSize) {
    const slice = found.recipients.slice(from, from + sliceSize);
    const ref = { workspace_id, broadcast_id, channel_id: sender.channel_id };
    const sends = slice.map((recipient) => toSend(ref, names, recipient));
    const expected = await transaction(pool, (tx) => expectSends(tx, clock, sends));
    for (const [index, { refusal, contact_id, initiates, priced: message }] of expected.entries()) {
      const { identifier, params } = slice[index]!;
      const shown = { to: identifier, params, ...(contact_id && { contact_id }) };
      if (refusal) exclude(reasonOf(refusal), shown);
      else if (contact_id && reachedContacts.has(contact_id)) exclude('repeated', shown);
      else {
        reachable++;
        if (initiates) new_customers++;
        if (message) priced.push(message);
        if (contact_id) reachedContacts.add(contact_id);
        if (reached.length < mostShown) reached.push(shown);
      }
    }
  }

  const shown = [...reached, ...excluded].flatMap(({ contact_id }) => contact_id ?? []);
  const contacts = await namesOfContacts(pool, workspace_id, shown);
  const withName = ({ contact_id, ...recipient }: PreviewedRecipient): PreviewedRecipient => {
    const name = contact_id && contacts.get(contact_id);
    return { ...recipient, ...(contact_id && { contact_id: publicId('contact', contact_id) }), ...(name && { name }) };
  };
  return {
    total: found.total,
    more,
    checked: found.checked,
    reachable,
    left_out: exclusionReasons.flatMap((reason) => {
      const count = counts.get(reason);
      return count ? [{ reason, count }] : [];
    }),
    refused_entries: found.refused_entries,
    reached_first: reached.map(withName),
    left_out_first: excluded.map(withName),
    new_customers,
    cost: await readCost(sender),
    pace: presentPace(await readTier(pool, { workspace_id, channel_id: sender.channel_id }, clock.now())),
  };

  function findStage(id: string): Promise<string> {
    return transaction(pool, (tx) => requireStage(tx, workspace_id, id));
  }

  async function readContacts(contacts: ContactAudience): Promise<Candidates> {
    const { channel_type } = sender;
    const { matched, numbered, more } = await countAudience(pool, workspace_id, contacts, channel_type);
    const numbers = await listAudience(pool, workspace_id, contacts, channel_type, limits.broadcast_recipients);
    return {
      total: matched,
      more,
      checked: numbers.length < numbered ? numbers.length : matched,
      recipients: numbers.map((identifier) => ({ identifier, params: [] })),
      excluded: [],
      counts: new Map(matched > numbered ? [['no_number', matched - numbered]] : []),
      refused_entries: [],
    };
  }

  async function readCost({ category }: Sender): Promise<BroadcastPreview['cost']> {
    const wallet = mayAct(caller.role, 'admin') && (await readWallet(pool, workspace_id));
    return {
      ...(category !== null && { category }),
      quote: await quotePrices(pool, workspace_id, priced, clock.now()),
      ...(wallet && { balance_minor: wallet.balance_minor }),
    };
  }
}

/** An entry that no broadcast takes is shown as it was written. */
async function readList(
  entries: NonNullable<Request['audience']['recipients']>,
  sender: Sender,
  country: string | undefined,
): Promise<Candidates> {
  const { read, unread, repeated } = await readEntries(entries, country);
  const fits = await mapInSlices(read, ({ params }) => applyParams(sender, params).ok);
  const unfit = read.filter((_, n) => !fits[n]);
  const shownAs = (index: number, reason: ExclusionReason) => ({
    to: entries[index]!.to,
    params: entries[index]!.params ?? [],
    reason,
  });
  const counts = new Map<ExclusionReason, number>();
  if (unread.length > 0) counts.set('invalid_phone', unread.length);
  if (unfit.length > 0) counts.set('wrong_params', unfit.length);
  if (repeated > 0) counts.set('repeated', repeated);
  return {
    total: entries.length,
    more: false,
    checked: entries.length,
    recipients: read.filter((_, n) => fits[n]),
    excluded: [
      ...unread.map((index) => shownAs(index, 'invalid_phone')),
      ...unfit.map(({ index }) => shownAs(index, 'wrong_params')),
    ].slice(0, mostShown),
    counts,
    refused_entries: [...unread, ...unfit.map(({ index }) => index)].sort((a, b) => a - b),
  };
}

function reasonOf({ code, extra: { detail } }: Refusal): ExclusionReason {
  if (detail === optInMissing) return 'opt_in_missing';
  return (exclusionReasons as readonly string[]).includes(code) ? (code as ExclusionReason) : 'other';
}
