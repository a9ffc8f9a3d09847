import { cancelContactRuns } from '../../automation/cancel-runs.ts';
import { type RunChain, type TriggerEvent, triggerWorkflows } from '../../automation/trigger-workflows.ts';
import { releaseContactConversations } from '../../conversations/contact-conversations.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import type { ContactFields } from '../rules.ts';

type Watched = Pick<ContactFields, 'tags' | 'stage_id' | 'blocked'>;

export interface ChangedContact {
  before: Watched;
  after: Watched & { id: string };
}

/**
 * Triggers the workflows of gained tags and changed stages, in the transaction of the change, and ends the workflow runs
 * of contacts that were blocked. `chain`: the runs that caused the change.
 */
export async function reportContactChanges(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  changed: readonly ChangedContact[],
  chain?: RunChain,
): Promise<void> {
  const events = changed.flatMap((one) => triggerEventsOf(workspace_id, one, chain));
  await triggerWorkflows(tx, clock, events);
  for (const { before, after } of changed) {
    if (!after.blocked || before.blocked) continue;
    await releaseContactConversations(tx, workspace_id, after.id);
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
