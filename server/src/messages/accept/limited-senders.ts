import { recordChanges } from '../../conversations/change/record-changes.ts';
import { findHidden } from '../../conversations/is-visible-to.ts';
import { ofAnotherTeam, refuseAsUnknown } from '../../conversations/refuse-hidden.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import type { Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { SendTarget, TargetNames } from './find-targets.ts';

interface LimitedSend {
  names: Pick<TargetNames, 'workspace_id' | 'identifier' | 'media_id'>;
  limited_user_id?: string | undefined;
}

/**
 * The indices of sends that lead their sender to what own teams hide: the conversation that the message would go to, the contact
 * where it would begin one, or the file. A number leads there as an id does.
 */
export async function findHiddenSends(
  tx: Transaction,
  sends: readonly LimitedSend[],
  targets: readonly Pick<SendTarget, 'conversation_id' | 'contact_id'>[],
): Promise<Set<number>> {
  const limited = sends.flatMap(({ names: { workspace_id, media_id }, limited_user_id: user_id }, index) => {
    if (user_id === undefined) return [];
    const { conversation_id, contact_id } = targets[index]!;
    const target = conversation_id ? { conversation_id } : { contact_id: contact_id ?? undefined };
    return [{ index, wanted: { workspace_id, user_id, media_id, ...target } }];
  });
  const hidden = await findHidden(
    tx,
    limited.map(({ wanted }) => wanted),
  );
  return new Set([...hidden].map((place) => limited[place]!.index));
}

export function refuseHiddenSend({ names: { identifier, media_id } }: LimitedSend): Refusal {
  return refuseAsUnknown(identifier !== undefined && media_id === undefined ? ofAnotherTeam : undefined);
}

interface LimitedDraft {
  send: LimitedSend;
  conversation_id: string | null;
}

/** Asks again once the conversations are locked: one may have moved to another team since. The next attempt refuses it. */
export async function holdVisible(tx: Transaction, drafts: readonly LimitedDraft[]): Promise<void> {
  const wanted = drafts.flatMap(({ send: { names, limited_user_id: user_id }, conversation_id }) => {
    if (user_id === undefined || conversation_id === null) return [];
    return [{ workspace_id: names.workspace_id, user_id, conversation_id }];
  });
  if ((await findHidden(tx, wanted)).size > 0) throw new Outdated('a conversation moved to another team');
}

/** Records that a limited sender was assigned the conversations that their messages began. Else they would not see them. */
export async function recordOwnConversations(
  tx: Transaction,
  clock: Clock,
  begun: readonly { workspace_id: string; id: string; assignee_id?: string | undefined }[],
): Promise<void> {
  for (const { workspace_id, id: conversation_id, assignee_id } of begun) {
    if (assignee_id === undefined) continue;
    const actor = { kind: 'user', id: assignee_id } as const;
    await recordChanges(tx, clock, workspace_id, actor, [{ conversation_id, kind: 'assigned', value_id: assignee_id }]);
  }
}
