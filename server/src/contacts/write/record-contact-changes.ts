import { cancelContactRuns } from '../../automation/cancel-runs.ts';
import { type TriggerEvent, triggerWorkflows } from '../../automation/trigger-workflows.ts';
import { releaseConversationsOf } from '../../conversations/of-contacts.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import type { ContactFields } from '../rules.ts';

type Watched = Pick<ContactFields, 'tags' | 'stage_id' | 'blocked'>;

export interface ChangedContact {
  id: string;
  before: Watched;
  after: Watched;
}

/**
 * Tells of tags that contacts gained and stages that they moved to, in the transaction of the change; what workflows do
 * with a contact ends when they are blocked. `depth`: how many runs stand behind it, where one changed them.
 */
export async function tellChanges(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  changed: readonly ChangedContact[],
  depth = 0,
): Promise<void> {
  const happenings = changed.flatMap((one) => happeningsOf(workspace_id, one, depth));
  await triggerWorkflows(tx, clock, happenings);
  for (const { id, before, after } of changed) {
    if (!after.blocked || before.blocked) continue;
    await releaseConversationsOf(tx, workspace_id, id);
    await cancelContactRuns(tx, clock, { workspace_id, id }, 'The contact was blocked.');
  }
}

function happeningsOf(workspace_id: string, { id, before, after }: ChangedContact, depth: number): TriggerEvent[] {
  const about = { workspace_id, contact_id: id, depth };
  const gained = after.tags.filter((tag) => !before.tags.includes(tag));
  const tagged = gained.map((tag): TriggerEvent => ({ ...about, trigger: 'contact_tagged', detail: { tag } }));
  if (after.stage_id === before.stage_id) return tagged;
  const detail = { of: 'contact', stage_id: after.stage_id, previous_stage_id: before.stage_id };
  return [...tagged, { ...about, trigger: 'stage_changed', detail }];
}
