import type { Sender } from '../webhooks/sender.ts';
import type { World } from '../world/world.ts';
import { changeTemplate } from './change-template.ts';
import type { GraphTemplate } from './graph-template.ts';
import { templateScriptFor } from './template-scripts.ts';

/** Reviews a pending template after the delay, by the ending of its name. */
export function reviewTemplate(world: World, sender: Sender, template: GraphTemplate): void {
  const { review_ms } = world.delays;
  const { verdicts } = templateScriptFor(template.name);
  if (review_ms === null || verdicts === undefined) return;
  const [first, ...more] = verdicts;
  world.timers.after(review_ms, () => {
    if (template.status !== 'PENDING' || !world.templates.has(template.id)) return;
    changeTemplate(world, sender, template, first!);
    for (const [index, verdict] of more.entries()) {
      world.timers.after(review_ms * (index + 1), () => {
        if (world.templates.has(template.id)) changeTemplate(world, sender, template, verdict);
      });
    }
  });
}
