import type { HandoverItem } from '../customer-items.ts';
import { loggableWord } from '../loggable-name.ts';
import type { NumberOrigin } from '../origin.ts';
import { isObject, readMember, readWord } from '../read-json.ts';
import { readMoment } from '../read-timestamp.ts';
import { hasNoId, readCustomerIds } from './read-customer-ids.ts';

// The platform's own agent, as its notices name it.
const platformAgent = 'meta_business_agent';

/**
 * Reads a change of control: `control_passed` or `control_taken`. Where the notice names no new owner, the agent holds the
 * conversation unless it was the owner before.
 */
export function readHandover(value: unknown, origin: NumberOrigin): HandoverItem | string {
  if (!isObject(value)) return 'handover is not an object';
  const kind = loggableWord(value.type);
  if (kind !== 'control_passed' && kind !== 'control_taken') return `handover ${kind}`;
  const customer = readCustomerIds(value.from, value.from_user_id);
  if (hasNoId(customer)) return 'handover of nobody';
  const at = readMoment(value.timestamp, origin);
  const next = readRole(value[kind], 'new_owner_app_role');
  const former = readRole(value[kind], 'previous_owner_app_role');
  if (next === undefined && former === undefined) return 'handover without an owner';
  const is_held = next === undefined ? former !== platformAgent : next === platformAgent;
  return { type: 'handover', ...origin, ...customer, is_held, ...(at && { at }) };
}

function readRole(owners: unknown, member: string): string | undefined {
  return readWord(readMember(owners, member));
}
