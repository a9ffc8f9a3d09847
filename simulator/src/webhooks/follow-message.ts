import type { ChatMessage } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { planStatuses } from './plan-statuses.ts';
import { reportStatus } from './report-status.ts';
import type { Sender } from './sender.ts';

/**
 * Schedules the statuses of an accepted message. The promise resolves after the webhooks of statuses that a script orders before
 * the answer; for other messages at once.
 */
export async function followMessage(
  world: World,
  sender: Sender,
  message: ChatMessage,
  failure: { code: number; details?: string } | undefined,
): Promise<void> {
  const { delays, switches } = world;
  const reaction = message.type === 'reaction';
  const steps = planStatuses({ delays, held_ms: switches.held_ms, script: message.script, failure, reaction });
  const first = message.script?.effect.kind === 'statuses' && message.script.effect.order === 'before_response';
  const beforeAnswer: Promise<void>[] = [];
  for (const step of steps) {
    const late = switches.jitter > 0 ? step.after_ms * switches.jitter * world.random.next() : 0;
    if (first) beforeAnswer.push(reportStatus(world, sender, message, step));
    else world.timers.after(step.after_ms + late, () => void reportStatus(world, sender, message, step));
  }
  await Promise.all(beforeAnswer);
}
