import { cancelContactRuns } from '../../automation/cancel-runs.ts';
import { endProposalsOfContact } from '../../automation/proposals.ts';
import {
  type RunChain,
  type TriggerEvent,
  triggerWorkflows,
  type WorkflowStarter,
} from '../../automation/trigger-workflows.ts';
import { releaseContactConversations } from '../../conversations/contact-conversations.ts';
import { statement } from '../../database/query.ts';
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

/** Where the changes come from. `by`: the caller who makes them. `chain`: the workflow runs that caused them. */
interface ChangeCause {
  origin: ConsentOrigin;
  by?: WorkflowStarter;
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
  { origin, by, chain, silent }: ChangeCause,
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
  await startWorkflows(tx, clock, workspace_id, changed, { by, chain });
  for (const { before, after } of changed) {
    if (!after.blocked || before.blocked) continue;
    await releaseContactConversations(tx, clock, workspace_id, after.id);
    await endProposalsOfContact(tx, clock, { workspace_id, id: after.id });
    await cancelContactRuns(tx, clock, { workspace_id, id: after.id }, 'The contact was blocked.');
  }
}

const changesAtOnce = 20;
const selectStarted = statement(`
  select from workflows
  where workspace_id = $1 and status = 'published' and trigger in ('contact_tagged', 'stage_changed') limit 1`);

/** In parts: an import may give 190,000 tags, whose events are 30 MB. Most workspaces have no workflow that they start. */
async function startWorkflows(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  changed: readonly ChangedContact[],
  { by, chain }: { by: WorkflowStarter | undefined; chain: RunChain | undefined },
): Promise<void> {
  if (changed.length > changesAtOnce && (await selectStarted(tx, [workspace_id])).length === 0) return;
  for (let at = 0; at < changed.length; at += changesAtOnce) {
    const some = changed.slice(at, at + changesAtOnce);
    const events = some.flatMap((one) => triggerEventsOf(workspace_id, one, chain));
    await triggerWorkflows(tx, clock, events, by);
  }
}

function triggerEventsOf(
  workspace_id: string,
  { before, after }: ChangedContact,
  chain: RunChain | undefined,
): TriggerEvent[] {
  const about = { workspace_id, contact_id: after.id, chain };
  const had = new Set(before.tags);
  const gained = after.tags.filter((tag) => !had.has(tag));
  const tagged = gained.map((tag): TriggerEvent => ({ ...about, trigger: 'contact_tagged', detail: { tag } }));
  if (after.stage_id === before.stage_id) return tagged;
  const detail = { of: 'contact', stage_id: after.stage_id, previous_stage_id: before.stage_id };
  return [...tagged, { ...about, trigger: 'stage_changed', detail }];
}
