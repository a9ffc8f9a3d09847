import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { BusinessAccount } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { makeTemplate } from './add-template.ts';
import { checkTemplate } from './check-template.ts';
import { componentOf, type GraphTemplate, type TemplateOptions } from './graph-template.ts';
import { reviewTemplate } from './review-template.ts';
import { refuseTemplate } from './template-refusal.ts';

/** POST /{waba_id}/message_templates (section 5.1): stores the template as PENDING and schedules its review. */
export function submitNewTemplate(world: World, sender: Sender, account: BusinessAccount, body: Dict): Dict {
  const given = checkTemplate(body);
  const now = world.now();
  checkUnique(world, account, given, now);
  account.template_creations = account.template_creations.filter((at) => at > now - 3_600_000);
  if (account.template_creations.length >= 100) throw refuseTemplate('limit', 'At most 100 templates an hour');
  account.template_creations.push(now);

  const ttl = body.message_send_ttl_seconds;
  const template: GraphTemplate = {
    ...makeTemplate(`88${world.random.digits(13)}`, account.id, given, now),
    ...(typeof ttl === 'number' && { message_send_ttl_seconds: ttl }),
  };
  world.templates.set(template.id, template);
  world.changes.emit('other', 'templates');
  reviewTemplate(world, sender, template);
  return { id: template.id, status: template.status, category: template.category };
}

function checkUnique(world: World, account: BusinessAccount, given: TemplateOptions, now: number): void {
  const own = [...world.templates.values()].filter((one) => one.waba_id === account.id);
  if (own.some((one) => one.name === given.name && one.language === given.language)) {
    throw refuseTemplate('exists', `There is already ${given.language} content for this template`);
  }
  if ((account.reserved_names.get(given.name) ?? 0) > now) throw refuseTemplate('deleting', given.name);
  if (own.length >= 250) throw refuseTemplate('limit', 'At most 250 templates');
  if (given.category.toUpperCase() === 'AUTHENTICATION') return;
  const text = textOf(given);
  if (own.some((one) => one.language === given.language && textOf(one) === text)) {
    throw refuseTemplate('body', 'Another template has the same body and footer.');
  }
}

function textOf(template: TemplateOptions): string {
  const made = makeTemplate('', '', template, 0);
  return `${componentOf(made, 'BODY')?.text}\n${componentOf(made, 'FOOTER')?.text ?? ''}`;
}
