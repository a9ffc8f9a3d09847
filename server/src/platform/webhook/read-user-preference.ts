import { nameOf } from '../name-of.ts';
import { isObject } from '../read-json.ts';
import { readMoment } from '../read-moment.ts';
import type { NumberOrigin, UserPreferenceItem } from '../types.ts';
import { isNobody, readPerson } from './read-person.ts';

/** One of `user_preferences[]` (section 9): a customer stops or resumes a business' marketing, in the app. */
export function readUserPreference(value: unknown, origin: NumberOrigin): UserPreferenceItem | string {
  if (!isObject(value)) return 'preference is not an object';
  if (value.category !== 'marketing_messages') return `preference ${nameOf(value.category)}`;
  if (value.value !== 'stop' && value.value !== 'resume') return `preference value ${nameOf(value.value)}`;
  const person = readPerson(value.wa_id, value.user_id);
  if (isNobody(person)) return 'preference of nobody';
  const at = readMoment(value.timestamp);
  if (at === undefined) return 'preference without a readable timestamp';
  return { type: 'user_preference', ...origin, ...person, marketing: value.value === 'resume', at };
}
