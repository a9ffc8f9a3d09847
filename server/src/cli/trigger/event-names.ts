import type { EventType } from '@majlis/contract';

const names: Record<EventType, true> = {
  'message.received': true,
  'message.status_updated': true,
  'template.status_updated': true,
};

/** The events that `majlis trigger` makes happen. */
export const triggeredEvents = Object.keys(names);
