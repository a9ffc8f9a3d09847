import type { UserPreferenceItem } from '../customer-items.ts';
import { loggableName } from '../loggable-name.ts';
import type { NumberOrigin } from '../origin.ts';
import { isObject, readWord } from '../read-json.ts';
import { readMoment } from '../read-timestamp.ts';
import { findCustomer } from './find-customer.ts';
import { hasNoId } from './read-customer-ids.ts';

/** Reads one of `user_preferences[]` (section 9): a customer stops or resumes marketing messages in the app. */
export function readUserPreference(
  value: unknown,
  contacts: unknown,
  origin: NumberOrigin,
): UserPreferenceItem | string {
  if (!isObject(value)) return 'preference is not an object';
  const [category, choice] = [value.category, value.value].map(readWord);
  if (category !== 'marketing_messages') return `preference ${loggableName(value.category)}`;
  if (choice !== 'stop' && choice !== 'resume') return `preference value ${loggableName(value.value)}`;
  const { ids: person } = findCustomer(value.wa_id, value.user_id, contacts);
  if (hasNoId(person)) return 'preference of nobody';
  const at = readMoment(value.timestamp, origin);
  if (at === undefined) return 'preference without a readable timestamp';
  return { type: 'user_preference', ...origin, ...person, marketing: choice === 'resume', at, raw: value };
}
