import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { findUnsendable } from '../../templates/apply-params.ts';
import { optInMissing } from '../rules.ts';
import type { SendTarget } from './find-targets.ts';
import { addressOf } from './refuse-target.ts';

/**
 * Refuses a template that this recipient cannot be sent with any values. Sends, schedules and quotes ask it. `identifier` is the
 * recipient that the send names itself.
 */
export function refuseTemplate(target: SendTarget, identifier: string | undefined): Refusal | undefined {
  const { template_components, template_category, template_parameter_format } = target;
  if (!template_components) return new Refusal('template_not_found');
  const unsendable = findUnsendable({
    components: template_components,
    parameter_format: template_parameter_format,
  });
  if (unsendable) return invalid({ detail: unsendable, pointer: '/template' });
  const withheld = refuseCategory(template_category, target);
  if (withheld) return withheld;
  // The platform sends one-time codes to numbers alone.
  if (template_category === 'authentication' && !(addressOf(target) ?? identifier)?.startsWith('+')) {
    return invalid({ detail: 'has no known number, and a one-time code goes to a number', pointer: '/contact_id' });
  }
  return undefined;
}

/** Marketing needs the opt-in of the contact. */
export function refuseCategory(
  category: string | null,
  { marketing_opt_in }: Pick<SendTarget, 'marketing_opt_in'>,
): Refusal | undefined {
  if (category !== 'marketing' || marketing_opt_in) return undefined;
  const errors = [{ detail: optInMissing, pointer: '/template/name' }];
  return new Refusal('unprocessable_content', { detail: optInMissing, errors });
}
