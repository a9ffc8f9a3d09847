import type { BroadcastCreate, TemplateComponent } from '@majlis/contract';
import { invalid, type Refusal } from '../http/reply/refusal.ts';
import { applyParams, mediaHeader } from '../templates/apply-params.ts';

/**
 * Why none or some of the messages could ever be sent, as a send of its own would be told: the broadcast would end with them
 * among `failed`, and nobody would learn the reason. For tags and a stage there is no place for values in the request, so
 * variables are not held against it: until the broadcast starts, the template may be another.
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
