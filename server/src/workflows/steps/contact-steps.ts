import type { CustomField } from '@majlis/contract';
import { listCustomFields } from '../../contacts/custom-fields.ts';
import { findContact } from '../../contacts/find-contact.ts';
import { listStages } from '../../contacts/queries.ts';
import { type ContactChange, changeContact, refuseValue } from '../../contacts/rules.ts';
import { tellChanges } from '../../contacts/write/record-contact-changes.ts';
import { updateContacts } from '../../contacts/write/save-contacts.ts';
import { moveToStage } from '../../conversations/change/set-conversation-stage.ts';
import type { StepOf } from '../definition/definition.ts';
import { expand, expandValue, type Scope } from '../run/expand.ts';
import type { MovingRun } from '../run/moving-run.ts';
import { ensureConversation } from './ensure-conversation.ts';
import { failed, type Outcome } from './outcome.ts';

export async function tagStep(
  moving: MovingRun,
  { do: kind, tag: given }: StepOf<'set_tag'> | StepOf<'clear_tag'>,
  scope: Scope,
): Promise<Outcome> {
  const tag = expand(given, scope);
  if (tag.trim() === '') return failed('The tag is empty.');
  await change(moving, ({ tags }) => {
    const others = tags.filter((one) => one !== tag);
    return { tags: kind === 'set_tag' ? [...others, tag] : others };
  });
  return { type: 'done', outcome: kind === 'set_tag' ? 'tag set' : 'tag cleared' };
}

export async function stageStep(
  moving: MovingRun,
  { stage, of = 'conversation' }: StepOf<'set_stage'>,
  scope: Scope,
): Promise<Outcome> {
  const { tx, clock, run } = moving;
  const name = stage === null ? null : expand(stage, scope);
  const found = name === null ? null : (await listStages(tx, run.workspace_id)).find((one) => one.name === name);
  if (found === undefined) return failed(`The workspace has no stage "${name}".`);
  const stage_id = found?.id ?? null;
  if (of === 'contact') await change(moving, () => ({ stage_id }));
  else {
    const conversation = await ensureConversation(moving);
    if (!conversation) return failed('The contact is on no channel.');
    await moveToStage(tx, clock, conversation, stage_id, run.depth + 1);
    conversation.stage_id = stage_id;
  }
  return { type: 'done', outcome: 'stage set' };
}

export async function fieldStep(
  moving: MovingRun,
  { field: given, value }: StepOf<'set_field'>,
  scope: Scope,
): Promise<Outcome> {
  const { tx, run } = moving;
  const key = expand(given, scope);
  const field = (await listCustomFields(tx, run.workspace_id)).find((one) => one.key === key);
  if (!field) return failed(`The workspace has no custom field "${key}".`);
  const read = readValue(field, expandValue(value, scope));
  const fault = refuseValue(field, read);
  if (fault) return failed(`The value of the custom field "${key}" ${fault}.`);
  await change(moving, () => ({ custom_fields: { [key]: read } }));
  return { type: 'done', outcome: 'field set' };
}

/** Variables hold what customers wrote: text that reads as a value of the field is one. */
function readValue({ type }: CustomField, value: unknown): unknown {
  if (type === 'text' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return type === 'text' ? value : text;
}

/** Changes the contact, whom the transaction holds; what this starts knows how many runs stand behind it. */
async function change(moving: MovingRun, changes: (standing: { tags: string[] }) => ContactChange): Promise<void> {
  const { tx, clock, run } = moving;
  const before = (await findContact(tx, run.workspace_id, run.contact_id))!;
  const after = { ...before, ...changeContact(before, changes(before)) };
  await updateContacts(tx, run.workspace_id, [after], clock.now());
  await tellChanges(tx, clock, run.workspace_id, [{ id: run.contact_id, before, after }], run.depth + 1);
}
