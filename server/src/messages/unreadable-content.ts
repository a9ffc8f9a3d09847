import { isObject } from '../platform/read-json.ts';
import { unreadableType } from '../platform/webhook/read-content.ts';

interface Described {
  direction: string;
  kind: string;
  body: string | null;
  error?: string | null;
  edited_at: Date | null;
}

/** Whether the text of a message may be a description of what the platform reported. */
export function mayDescribe({ direction, kind, body, error, edited_at }: Described): boolean {
  const isText = direction === 'inbound' && kind === 'text' && edited_at === null;
  return isText && (!!error || body?.startsWith('[') === true);
}

/** The same in SQL: what the platform reported, or null. `m` is the alias of `messages`. */
export const describedBy = (m: string) => `
  case when ${m}.direction = 'inbound' and ${m}.kind = 'text' and ${m}.edited_at is null
    and (${m}.error is not null or ${m}.body like '[%') then ${m}.content -> 'raw' end`;

/** The type of what cannot be shown, of what `describedBy` selects. A text of the customer has none. */
export function presentUnreadable(described: unknown): { unreadable_type?: string } {
  const unreadable_type = isObject(described) ? unreadableType(described) : undefined;
  return unreadable_type === undefined ? {} : { unreadable_type };
}
