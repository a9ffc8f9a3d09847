import { ContactUpdate, type CustomField } from '@majlis/contract';
import { findCustomField } from '../../contacts/custom-fields.ts';
import { findContact } from '../../contacts/find-contact.ts';
import { holdStage } from '../../contacts/queries.ts';
import { type ContactChange, changeContact, refuseLarger, refuseValue } from '../../contacts/rules.ts';
import { reportContactChanges } from '../../contacts/write/record-contact-changes.ts';
import { updateContacts } from '../../contacts/write/save-contacts.ts';
import { openTagRoom } from '../../contacts/write/tag-room.ts';
import { moveToStage } from '../../conversations/change/set-conversation-stage.ts';
import type { StepOf } from '../definition/definition.ts';
import { expand, expandValue, type VariableScope } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { actorOfRun, chainBehind } from '../run/new-run.ts';
import { ensureConversation } from './ensure-conversation.ts';
import { failBeyondBounds } from './fail-beyond-bounds.ts';
import { type StepOutcome, stepFailed } from './step-outcome.ts';

export async function tagStep(
  locked: LockedRun,
  { do: kind, tag: given }: StepOf<'set_tag'> | StepOf<'clear_tag'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const tag = expand(given, scope);
  if (tag.trim() === '') return stepFailed('The tag is empty.');
  const failure = await changeRunContact(locked, ({ tags }) => {
    const others = tags.filter((one) => one !== tag);
    return { tags: kind === 'set_tag' ? [...others, tag] : others };
  });
  if (failure) return failure;
  return { type: 'done', outcome: kind === 'set_tag' ? 'tag set' : 'tag cleared' };
}

export async function stageStep(
  locked: LockedRun,
  { stage, of = 'conversation' }: StepOf<'set_stage'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const { tx, clock, run } = locked;
  const name = stage === null ? null : expand(stage, scope);
  const found = name === null ? null : await holdStage(tx, run.workspace_id, name);
  if (found === undefined) return stepFailed(`The workspace has no stage "${name}".`);
  const stage_id = found?.id ?? null;
  if (of === 'contact') await changeRunContact(locked, () => ({ stage_id }));
  else {
    const conversation = await ensureConversation(locked);
    if (!conversation) return stepFailed('The contact is on no channel.');
    await moveToStage(tx, clock, conversation, stage_id, { actor: actorOfRun(run), chain: chainBehind(run) });
  }
  return { type: 'done', outcome: 'stage set' };
}

export async function fieldStep(
  locked: LockedRun,
  { field: given, value }: StepOf<'set_field'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const { tx, run } = locked;
  const key = expand(given, scope);
  const field = await findCustomField(tx, run.workspace_id, key);
  if (!field) return stepFailed(`The workspace has no custom field "${key}".`);
  const read = readValue(field, expandValue(value, scope));
  const fault = refuseValue(field, read);
  if (fault) return stepFailed(`The value of the custom field "${key}" ${fault}.`);
  const failure = await changeRunContact(locked, () => ({ custom_fields: { [key]: read } }));
  if (failure) return failure;
  return { type: 'done', outcome: 'field set' };
}

/** Converts text of customers to the type of the field where the text has its form. */
function readValue({ type }: CustomField, value: unknown): unknown {
  if (type === 'text' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return type === 'text' ? value : text;
}

/** Changes the locked contact. The chain of this run continues in the workflows that the change triggers. */
async function changeRunContact(
  locked: LockedRun,
  changes: (current: { tags: string[] }) => ContactChange,
): Promise<StepOutcome | undefined> {
  const { tx, clock, run, limits } = locked;
  const before = (await findContact(tx, run.workspace_id, run.contact_id))!;
  const change = changes(before);
  const failure = failBeyondBounds(locked, ContactUpdate, change);
  if (failure) return failure;
  const [beyond] = (await openTagRoom(tx, limits.quotas, run.workspace_id, [change]))(change.tags);
  if (beyond) return stepFailed(beyond.detail);
  const after = { ...before, ...changeContact(before, change) };
  const fault = refuseLarger(before, after, limits.bounds);
  if (fault) return stepFailed(`The contact ${fault.detail}.`);
  await updateContacts(tx, run.workspace_id, [after], clock.now());
  await reportContactChanges(tx, clock, run.workspace_id, [{ before, after }], {
    origin: { source: 'workflow', actor_kind: 'system' },
    chain: chainBehind(run),
  });
  return undefined;
}
