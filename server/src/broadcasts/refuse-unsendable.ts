import type { BroadcastCreate } from '@majlis/contract';
import { mapInSlices } from '../concurrency/map-in-slices.ts';
import { invalid, type Refusal } from '../http/reply/refusal.ts';
import {
  applyParams,
  describeMisfit,
  type FillableTemplate,
  findUnsendable,
  mediaHeader,
} from '../templates/apply-params.ts';

/**
 * Refuses a broadcast whose messages could never be sent: they would count as `failed` without a visible reason. An audience of
 * tags or a stage has no values for variables.
 */
export async function refuseUnsendable(
  template: FillableTemplate,
  { recipients }: BroadcastCreate['audience'],
): Promise<Refusal | undefined> {
  const unsendable = findUnsendable(template);
  if (unsendable) return invalid({ detail: unsendable, pointer: '/template' });
  const header = mediaHeader(template.components);
  if (header) {
    return invalid({
      detail: `The template's header is a ${header}, and a broadcast has no file.`,
      pointer: '/template',
    });
  }
  if (!recipients) {
    const result = applyParams(template, []);
    if (result.ok) return undefined;
    const detail = `The template has ${result.needed} variables, and only an audience of recipients has values for them.`;
    return invalid({ detail, pointer: '/audience' });
  }
  const results = await mapInSlices(recipients, ({ params = [] }, index) => {
    const result = applyParams(template, params);
    if (result.ok) return [];
    const pointer = `/audience/recipients/${index}/params`;
    const value = result.blank === undefined ? '' : `/${result.blank}`;
    return [{ detail: describeMisfit(result, params), pointer: `${pointer}${value}` }];
  });
  const faults = results.flat();
  return faults.length > 0 ? invalid(faults) : undefined;
}
