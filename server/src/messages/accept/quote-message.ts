import type { Quote } from '@majlis/console-api';
import { limitedUserOf } from '../../conversations/refuse-hidden.ts';
import { parseId } from '../../database/ids.ts';
import { transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { quotePrices } from '../../workspaces/prices/quote.ts';
import { refuseSend } from '../rules.ts';
import { categoryOf, isInFreeTime } from './expected-price.ts';
import { findTargets, type TargetNames } from './find-targets.ts';
import { findHiddenSends, refuseHiddenSend } from './limited-senders.ts';
import { readRecipient } from './read-recipient.ts';
import { verdictOf } from './read-send-gate.ts';
import { addressOf, refuseTarget } from './refuse-target.ts';
import { refuseTemplate } from './refuse-template.ts';

interface QuoteRequest {
  conversation_id?: string | undefined;
  contact_id?: string | undefined;
  to?: string | undefined;
  channel_id?: string | undefined;
  template?: { name: string; language: string } | undefined;
}

/** Says what one message of a person would cost now, and whether it would be accepted. Stores nothing. */
export async function quoteMessage(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  caller: Caller,
  request: QuoteRequest,
): Promise<Quote> {
  const { workspace_id } = caller;
  const { template } = request;
  const recipient = readNames(caller, request);
  if (recipient instanceof Refusal) throw recipient;
  const names = { workspace_id, ...recipient, template_name: template?.name, template_language: template?.language };
  const send = { names, limited_user_id: limitedUserOf(caller) };
  const now = clock.now();
  return transaction(pool, async (tx) => {
    const [target] = await findTargets(tx, clock, [names]);
    if ((await findHiddenSends(tx, [send], [target!])).size > 0) throw refuseHiddenSend(send);
    const refused = refuseTarget({ names, content: {} }, target!);
    if (refused) throw refused;
    if (template && !target!.template_components) throw new Refusal('template_not_found');
    const kind = template ? 'template' : 'text';
    const verdict =
      (template && refuseTemplate(target!, names.identifier)) ??
      refuseSend(target!, { kind, reopens: request.conversation_id === undefined, by_person: true }, now);
    const message = {
      workspace_id,
      channel_id: target!.channel_id!,
      category: categoryOf({ kind }, target!),
      recipient: addressOf(target!) ?? recipient.identifier!,
      is_in_free_time: isInFreeTime(target!, now),
    };
    return { ...(await quotePrices(tx, workspace_id, [message], now)), verdict: verdictOf(verdict) };
  });
}

function readNames(caller: Caller, request: QuoteRequest): Omit<TargetNames, 'workspace_id'> | Refusal {
  if (request.conversation_id === undefined) return readRecipient(caller, request);
  const conversation_id = parseId('conversation', request.conversation_id);
  if (request.to !== undefined || request.contact_id !== undefined) {
    return invalid({ detail: 'names the recipient, so that to and contact_id do not', pointer: '/conversation_id' });
  }
  return conversation_id ? { conversation_id } : new Refusal('not_found');
}
