import { cancelContactRuns } from '../../automation/cancel-runs.ts';
import { type RunChain, type TriggerEvent, triggerWorkflows } from '../../automation/trigger-workflows.ts';
import { releaseContactConversations } from '../../conversations/contact-conversations.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Clock } from '../../process/clock.ts';
import { type ConsentOrigin, decisionsBetween, recordConsents } from '../consents/record-consents.ts';
import { contactCreated, contactUpdated } from '../events.ts';
import type { ContactFields } from '../rules.ts';

type Watched = Pick<ContactFields, 'tags' | 'stage_id' | 'blocked' | 'consents'>;

export interface ChangedContact {
  before: Watched;
  after: Watched & { id: string };
  is_new?: boolean;
  /** Whether it got a further identity. */
  has_new_identity?: boolean;
}

/** Where the changes come from. `chain`: the workflow runs that caused them. */
interface ChangeCause {
  origin: ConsentOrigin;
  chain?: RunChain;
  /** Without events and workflows. */
  silent?: boolean | undefined;
}

/**
 * Records the evidence of changed consents and the events, and triggers the workflows of gained tags and changed stages, in the transaction of
 * the change. It ends the workflow runs of contacts that were blocked.
 */
export async function reportContactChanges(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  changed: readonly ChangedContact[],
  { origin, chain, silent }: ChangeCause,
): Promise<void> {
  const decisions = changed.flatMap(({ before, after }) => decisionsBetween(before, after, { workspace_id, origin }));
  await recordConsents(tx, clock, decisions);
  if (silent) return;
  await recordEvents(
    tx,
    clock,
    changed.flatMap(({ before, after, is_new, has_new_identity }) => {
      const contact = { workspace_id, id: after.id };
      if (is_new) return [contactCreated(contact)];
      return contactUpdated(contact, { before, after, more: has_new_identity ? ['identities'] : [] });
    }),
  );
  const events = changed.flatMap((one) => triggerEventsOf(workspace_id, one, chain));
  await triggerWorkflows(tx, clock, events);
  for (const { before, after } of changed) {
    if (!after.blocked || before.blocked) continue;
    await releaseContactConversations(tx, clock, workspace_id, after.id);
    await cancelContactRuns(tx, clock, { workspace_id, id: after.id }, 'The contact was blocked.');
  }
}

function triggerEventsOf(
  workspace_id: string,
  { before, after }: ChangedContact,
  chain: RunChain | undefined,
): TriggerEvent[] {
  const about = { workspace_id, contact_id: after.id, chain };
  const gained = after.tags.filter((tag) => !before.tags.includes(tag));
  const tagged = gained.map((tag): TriggerEvent => ({ ...about, trigger: 'contact_tagged', detail: { tag } }));
  if (after.stage_id === before.stage_id) return tagged;
  const detail = { of: 'contact', stage_id: after.stage_id, previous_stage_id: before.stage_id };
  return [...tagged, { ...about, trigger: 'stage_changed', detail }];
}
