import type { Simulator, TemplateOptions } from '@majlis/simulator';
import type { PlatformNumber, PlatformSetup } from '../operator/read-platform-setup.ts';
import { composeTemplate } from '../platform/send/compose-template.ts';
import type { NewTemplate } from '../platform/template.ts';

/**
 * Registers the numbers of all workspaces with the simulator, as their business would with the platform. A number that did not
 * change keeps its simulated state.
 */
export function createRegistrar(simulator: Simulator): (setup: PlatformSetup) => void {
  const known = new Map<string, string>();
  return ({ numbers, templates }) => {
    for (const number of numbers) {
      const text = JSON.stringify(number);
      if (known.get(number.phone_number_id) !== text) register(simulator, number);
      known.set(number.phone_number_id, text);
    }
    for (const template of templates) if (isTyped(template)) simulator.addTemplate(toPlatform(template));
  };
}

/** The contract's parts may lack a type. The platform knows no such part. */
function isTyped({ components }: PlatformSetup['templates'][number]): boolean {
  return components.every(({ type, buttons = [] }) => type && buttons.every((button) => button.type));
}

function toPlatform({ waba_id, ...template }: PlatformSetup['templates'][number]): TemplateOptions {
  return { waba_id, ...composeTemplate(template as NewTemplate) } as TemplateOptions;
}

function register(
  simulator: Simulator,
  { phone_number_id, app_secret, display_phone, verified_name, messaging_tier, ...number }: PlatformNumber,
): void {
  simulator.addNumber({
    ...number,
    phone_number_id,
    display_phone: display_phone ?? `+${phone_number_id}`,
    verified_name: verified_name ?? phone_number_id,
    ...(messaging_tier !== null && { messaging_tier }),
    webhook: { app_secret },
  });
}
