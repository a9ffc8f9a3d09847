import type { SendGate } from '@majlis/console-api';
import type { Template } from '@majlis/contract';

/** Why the gate refuses this template: a word of the catalogue, or undefined. */
export function refusalOf({ category }: Template, gate: SendGate | undefined): string | undefined {
  if (!gate) return undefined;
  const verdict = category === 'marketing' ? gate.marketing : gate.template;
  if (verdict.allowed) return undefined;
  const isOptIn = category === 'marketing' && verdict.code === 'unprocessable_content';
  return isOptIn ? 'opt_in' : verdict.code;
}
