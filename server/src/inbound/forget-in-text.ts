import { forgetPerson } from '../platform/webhook/forget-person.ts';
import { parseNotification } from '../platform/webhook/parse-notification.ts';
import { parseWebhook } from '../platform/webhook/parse-webhook.ts';

/** The text of a notification without a person; null where nothing else is left, and undefined where it does not change. */
export function forgetInText(text: string, names: readonly string[]): string | null | undefined {
  const before = parseNotification(text);
  const left = forgetPerson(before, new Set(names));
  if (left === before) return undefined;
  return parseWebhook(left).length > 0 ? JSON.stringify(left) : null;
}
