import { GraphError } from '../graph/graph-error.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { BusinessAccount } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { makeTemplate } from './add-template.ts';
import { changeTemplate, dropTemplate } from './change-template.ts';
import { checkComponents } from './check-template.ts';
import type { GraphTemplate } from './graph-template.ts';
import { reviewTemplate } from './review-template.ts';

const dayMs = 24 * 3_600_000;

/** POST /{template_id}: replaces all components and reviews again (section 5.4). */
export function editTemplate(world: World, sender: Sender, template: GraphTemplate, body: Dict): Dict {
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
    throw notAllowed('Only approved, rejected or paused templates can be edited.');
  }
  const now = world.now();
  if (template.status === 'APPROVED') {
    template.edits = template.edits.filter((at) => at > now - 30 * dayMs);
    if (template.edits.length >= 10 || template.edits.some((at) => at > now - dayMs)) {
      throw notAllowed('An approved template can be edited once in 24 hours and ten times in 30 days.');
    }
    if (body.category !== undefined && String(body.category).toUpperCase() !== template.category) {
      throw notAllowed('The category of an approved template cannot be edited.');
    }
  }
  const { message_send_ttl_seconds: ttl } = body;
  if (typeof ttl === 'number') template.message_send_ttl_seconds = ttl;
  if (body.components === undefined && body.category === undefined) return { success: true };

  const named = template.parameter_format === 'NAMED';
  const category = String(body.category ?? template.category).toUpperCase();
  const components =
    body.components === undefined
      ? template.components
      : checkComponents(body.components, named, category === 'AUTHENTICATION');
  if (template.status === 'APPROVED') template.edits.push(now);
  template.components = makeTemplate('', '', { ...template, components }, now).components;
  template.category = category;
  template.status = 'PENDING';
  template.rejected_reason = 'NONE';
  world.changes.emit('other', 'templates');
  reviewTemplate(world, sender, template);
  return { success: true };
}

/** Deletes all languages of a name, or one by `hsm_id`. The name of an approved one is blocked for 30 days. */
export function deleteByName(
  world: World,
  account: BusinessAccount,
  { name, hsm_id }: { name?: string; hsm_id?: string },
): Dict {
  if (!name) throw new GraphError(100, { message: '(#100) The parameter name is required.' });
  const found = [...world.templates.values()].filter(
    (one) => one.waba_id === account.id && one.name === name && (hsm_id === undefined || one.id === hsm_id),
  );
  if (found.length === 0) {
    throw new GraphError(100, {
      message: 'Invalid parameter',
      subcode: 2593002,
      user_title: 'Message Template Not Found',
      user_msg: `No message template with the name ${name} was found.`,
    });
  }
  if (found.some((one) => one.status === 'DISABLED')) throw notAllowed('A disabled template cannot be deleted.');
  for (const template of found) {
    dropTemplate(world, template);
    template.status = 'PENDING_DELETION';
  }
  world.changes.emit('other', 'templates');
  return { success: true };
}

/** Ends a pause after five minutes at the earliest. */
export function unpauseTemplate(world: World, sender: Sender, template: GraphTemplate): Dict {
  const since = template.paused_at ?? 0;
  if (template.status !== 'PAUSED') throw notAllowed('The template is not paused.');
  if (world.now() < since + 5 * 60_000) throw notAllowed('A template can be unpaused five minutes after its pause.');
  changeTemplate(world, sender, template, {
    status: 'APPROVED',
    other_info: { title: 'UNPAUSE', description: 'Unpaused' },
  });
  return { success: true };
}

function notAllowed(details: string): GraphError {
  return new GraphError(100, { message: '(#100) Invalid parameter', details });
}
