import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';
import type { GraphTemplate, GraphTemplateStatus } from './graph-template.ts';

export type GraphTemplateChange = {
  status?: GraphTemplateStatus;
  /** The reason of a rejection: INVALID_FORMAT, PROMOTIONAL, … */
  reason?: string;
  quality?: string;
  category?: string;
  other_info?: Dict;
};

/** Changes a template as the platform does, with its webhooks (section 5.8). */
export function changeTemplate(world: World, sender: Sender, template: GraphTemplate, change: GraphTemplateChange) {
  const { status, quality, category, reason = 'NONE', other_info } = change;
  const notify = (field: string, value: Dict) =>
    void sender.notify({
      waba_id: template.waba_id,
      field,
      time: Math.floor(world.now() / 1000),
      head: { ...value, ...identityOf(template) },
    });

  if (status !== undefined) {
    if (status === 'DELETED') dropTemplate(world, template);
    template.status = status;
    template.rejected_reason = status === 'REJECTED' ? reason : 'NONE';
    if (status === 'PAUSED') template.paused_at = world.now();
    const rejection = status === 'REJECTED' &&
      reason !== 'NONE' && { rejection_info: { reason, recommendation: 'Change the template.' } };
    notify('message_template_status_update', {
      event: status,
      reason,
      message_template_category: template.category,
      ...rejection,
      ...(status === 'DISABLED' && { disable_info: { disable_date: Math.floor(world.now() / 1000) } }),
      ...(other_info && { other_info }),
    });
  }
  if (quality !== undefined) {
    const previous_quality_score = template.quality;
    template.quality = quality;
    notify('message_template_quality_update', { previous_quality_score, new_quality_score: quality });
  }
  if (category !== undefined) {
    template.previous_category = template.category;
    template.category = category.toUpperCase();
    notify('template_category_update', {
      previous_category: template.previous_category,
      new_category: template.category,
    });
  }
  world.changes.emit('other', 'templates');
}

const reservedMs = 30 * 24 * 3_600_000;

/** Removes a template and blocks the name of an approved one for 30 days. */
export function dropTemplate(world: World, template: GraphTemplate): void {
  const { waba_id, name, status } = template;
  if (status === 'APPROVED') world.accounts.get(waba_id)?.reserved_names.set(name, world.now() + reservedMs);
  world.templates.delete(template.id);
}

/** The template's id is a number in webhooks, a string elsewhere. */
function identityOf(template: GraphTemplate): Dict {
  return {
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
  };
}
