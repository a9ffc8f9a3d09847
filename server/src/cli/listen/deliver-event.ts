import { setTimeout as pause } from 'node:timers/promises';
import type { EventEnvelope } from '@majlis/sdk';
import type { Outcome } from './forward-event.ts';
import type { ListenerState } from './listener-state.ts';

export interface Delivery {
  state: ListenerState;
  /** Stores the state. */
  save(): Promise<void>;
  post(event: EventEnvelope): Promise<Outcome>;
  report(event: EventEnvelope, outcome: Outcome, attempt: number): void;
  signal: AbortSignal;
}

/** A receiver that restarts is back soon. */
const longestAbsencePause_ms = 5_000;
/** A refusal is often over at once; then other events go first. */
const quickPauses_ms = [1_000, 2_000];
const laterPauses_ms = [10_000, 30_000, 60_000, 300_000];

/**
 * Delivers an event until the receiver confirms it. While the receiver is away, all events wait, in their order. An event that it
 * refuses again and again waits by itself, so that one bad event does not stop the others. Returns early only when the signal ends.
 */
export async function deliverEvent(delivery: Delivery, event: EventEnvelope): Promise<void> {
  const { state, save, post, report, signal } = delivery;
  for (let attempt = 1, absences = 0; !signal.aborted; ) {
    const outcome = await post(event);
    if (outcome.type === 'confirmed') {
      state.confirmed.push(event.id);
      // What is reported as confirmed never comes again.
      await save();
      return report(event, outcome, attempt);
    }
    report(event, outcome, attempt);
    if (outcome.type === 'away') {
      await wait(Math.min(longestAbsencePause_ms, 250 * 2 ** absences), signal);
      absences = Math.min(absences + 1, 10);
      continue;
    }
    const pause_ms = quickPauses_ms[attempt - 1];
    if (pause_ms === undefined) {
      state.waiting.push({ event, attempts: attempt, next_at: Date.now() + laterPauses_ms[0]! });
      return save();
    }
    await wait(pause_ms, signal);
    attempt += 1;
  }
}

/** Tries the refused events that are due, each once. */
export async function deliverWaiting({ state, save, post, report, signal }: Delivery): Promise<void> {
  for (const one of state.waiting.filter(({ next_at }) => next_at <= Date.now())) {
    if (signal.aborted) return;
    const outcome = await post(one.event);
    one.attempts += 1;
    if (outcome.type === 'confirmed') state.waiting = state.waiting.filter((other) => other !== one);
    else
      one.next_at =
        Date.now() + laterPauses_ms[Math.min(one.attempts - quickPauses_ms.length, laterPauses_ms.length - 1)]!;
    // A page that is read again must not bring it back.
    if (outcome.type === 'confirmed') state.confirmed.push(one.event.id);
    await save();
    report(one.event, outcome, one.attempts);
  }
}

export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, undefined, { signal }).catch(() => {});
}
