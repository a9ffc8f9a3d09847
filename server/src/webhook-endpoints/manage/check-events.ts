import { type AnyEventType, allEventTypes } from '@majlis/contract';
import { invalid } from '../../http/reply/refusal.ts';

const known: readonly (AnyEventType | '*')[] = ['*', ...allEventTypes];

/** Refuses a subscription that would bring nothing: an empty list, or a name that no event has. */
export function checkEvents(events: readonly string[]): void {
  if (events.length === 0) throw invalid({ detail: `needs at least one of ${known.join(', ')}`, pointer: '/events' });
  const unknown = events.findIndex((event) => !(known as readonly string[]).includes(event));
  if (unknown !== -1) throw invalid({ detail: `must be one of ${known.join(', ')}`, pointer: `/events/${unknown}` });
}
