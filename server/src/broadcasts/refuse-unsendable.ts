import type { BroadcastCreate, TemplateComponent } from '@majlis/contract';
import { mapInSlices } from '../concurrency/map-in-slices.ts';
import { invalid, type Refusal } from '../http/reply/refusal.ts';
import { applyParams, findUnsendable, mediaHeader } from '../templates/apply-params.ts';

/**
 * Refuses a broadcast whose messages could never be sent: they would count as `failed` without a visible reason. An audience of
 * tags or a stage has no values for variables.
 */
export async function refuseUnsendable(
  { components, category }: { components: readonly TemplateComponent[]; category: string | null },
  { recipients }: BroadcastCreate['audience'],
): Promise<Refusal | undefined> {
  const unsendable = findUnsendable(components);
  if (unsendable) return invalid({ detail: unsendable, pointer: '/template' });
  const header = mediaHeader(components);
  if (header) {
    return invalid({
      detail: `The template's header is a ${header}, and a broadcast has no file.`,
      pointer: '/template',
    });
  }
  if (!recipients) {
    const result = applyParams(components, [], category);
    if (result.ok) return undefined;
    const detail = `The template has ${result.needed} variables, and only an audience of recipients has values for them.`;
    return invalid({ detail, pointer: '/audience' });
  }
  const results = await mapInSlices(recipients, ({ params = [] }, index) => {
    const result = applyParams(components, params, category);
    if (result.ok) return [];
    const detail = `The template has ${result.needed} variables, and ${params.length} values were given.`;
    return [{ detail, pointer: `/audience/recipients/${index}/params` }];
  });
  const faults = results.flat();
  return faults.length > 0 ? invalid(faults) : undefined;
}
