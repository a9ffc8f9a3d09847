import type { BroadcastCreate, TemplateComponent } from '@majlis/contract';
import { invalid, type Refusal } from '../http/reply/refusal.ts';
import { applyParams, mediaHeader } from '../templates/apply-params.ts';

/**
 * Refuses a broadcast whose messages could never be sent: they would count as `failed` without a visible reason. Variables
 * are not checked for tags and a stage: the request has no values for them, and the template may change before the start.
 */
export function refuseUnsendable(
  components: readonly TemplateComponent[],
  { recipients = [] }: BroadcastCreate['audience'],
): Refusal | undefined {
  const header = mediaHeader(components);
  if (header) {
    return invalid({
      detail: `The template's header is a ${header}, and a broadcast has no file.`,
      pointer: '/template',
    });
  }
  const faults = recipients.flatMap(({ params = [] }, index) => {
    const result = applyParams(components, params);
    if (result.ok) return [];
    const detail = `The template has ${result.needed} variables, and ${params.length} values were given.`;
    return [{ detail, pointer: `/audience/recipients/${index}/params` }];
  });
  return faults.length > 0 ? invalid(...faults) : undefined;
}
